import { expect, test } from "vitest";
import { onAdapted } from "./onAdapted.js";
import { usualBaselines } from "./parts/baselineOptions.js";
import { choosesSettings } from "./parts/method.js";
import { addMethod, codeOfAdded, methodNamed, methods } from "./registry.js";

const namesWhere = (holds: (method: (typeof methods)[number]) => unknown): string[] =>
  methods.filter(holds).map(({ name }) => name);

test("a name, title or alias belongs to one method", () => {
  const spellings = methods.flatMap(({ name, title, aliases = [] }) => [
    ...new Set([name, title, ...aliases].map((text) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, ""))),
  ]);
  expect(spellings).toEqual([...new Set(spellings)]);
});

test("what needs several passes says why it cannot be exported", () => {
  expect(namesWhere(({ kind, obstacle }) => (kind === "draws" || kind === "adversarial") && !obstacle)).toEqual([]);
});

test("an adversarial method shares the network of the method it is based on", () => {
  for (const method of methods) if (method.kind === "adversarial") expect(method.basis.network).toBe(method.network);
});

test("which methods choose between settings; MC dropout does with several rates or draws", () => {
  const chosen = ["max-softmax", "odin", "mahalanobis-a", "react", "knn"];
  expect(namesWhere((method) => choosesSettings(method, usualBaselines))).toEqual(chosen);
  const swept = { ...usualBaselines, passes: [4, 8] };
  expect(namesWhere((method) => choosesSettings(method, swept))).toEqual([
    ...["mc-dropout-pe", "mc-dropout-mi"],
    ...chosen,
  ]);
});

test("an unknown name is refused with the one that was probably meant", () => {
  expect(methodNamed("vim").title).toBe("ViM");
  expect(() => methodNamed("mahalonobis")).toThrow(
    expect.objectContaining({ hint: expect.stringMatching(/^did you mean "mahalanobis"\? known: ensemble-pe-5, /) }),
  );
});

test("a variant on the adapted network stands outside the paper's groups, and has the code of its method", () => {
  const variants = methods.flatMap((method) => onAdapted(method) ?? []);
  expect(variants.map(({ name }) => name)).toContain("vim@adapted");
  for (const variant of variants) {
    expect(variant).toMatchObject({ network: "adapted", family: "further", onRequest: true });
    if (variant.kind === "adversarial") expect(variant.basis).toMatchObject({ network: "adapted" });
    expect(methodNamed(variant.name)).toBe(variant);
  }
  addMethod({ ...methodNamed("entropy"), name: "own-entropy" }, "hash of its file");
  expect(codeOfAdded("own-entropy@adapted")).toBe("hash of its file");
});
