import { expect, test } from "vitest";
import type { Dataset } from "./dataset.js";
import { requireSameClasses } from "./sameClasses.js";

const labelled = (...names: readonly string[]): Dataset => {
  const classes = names.map((name) => ({ name, colour: [0, 0, 0] as const }));
  const labelling = { classes: { name: "own", classes } } as unknown as Dataset["labelling"];
  return { spec: "folder:x", items: [], labelling };
};

test("classes are compared by name and order, not by number", () => {
  requireSameClasses(labelled("road", "sky"), ["road", "sky"], "the model");
  const refusal = (names: readonly string[], wanted = ["road", "sky"]) =>
    expect(() => requireSameClasses(labelled(...names), wanted, "the model"));
  refusal(["sky", "road"]).toThrow(
    "folder:x does not have the classes of the model: they stand in another order (sky, road",
  );
  refusal(["road", "tree"]).toThrow("it has tree, which is none of them");
  refusal(["road"]).toThrow("it has 1, wanted 2");
  expect(() => requireSameClasses({ ...labelled(), labelling: null }, ["road"], "the model")).toThrow("has no labels");
});
