import { expect, test } from "vitest";
import { add, exp, number, relu, scale } from "../ops/elementwise.js";
import { within } from "./path.js";
import { printGraph } from "./print.js";
import { rewritten } from "./rewrite.js";
import { input } from "./value.js";

const x = input("x", { dtype: "float32", shape: [2] });

test("what reads a replaced node is made again, under its own name; the rest stays, and so does the old graph", () => {
  const side = exp(x);
  const y = within("head", () => scale(relu(x), 2));
  const graph = { outputs: { y, side } };
  const before = printGraph(graph);
  const after = rewritten(graph, { node: (node, [only]) => (node.opType === "Relu" ? [exp(only!)] : null) });
  expect(printGraph(after)).toBe(
    before.replace("head/Relu", "Exp").replace("Relu(x)", "Exp(x)").replace("head/Relu", "Exp"),
  );
  expect(after.outputs.side).toBe(side);
  expect(printGraph(graph)).toBe(before);
});

test("an input can become something else", () => {
  const graph = rewritten({ outputs: { y: add(x, x) } }, { leaf: (leaf) => (leaf === x ? exp(number(1)) : leaf) });
  expect(printGraph(graph)).toBe("Exp: float32[] = Exp(1)\ny: float32[] = Add(Exp, Exp)\noutput y\n");
});
