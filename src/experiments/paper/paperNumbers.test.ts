import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ablations } from "../../methods/gamma-ssl/ablations.js";
import { methods } from "../../methods/registry.js";
import { misprintedMean, type PaperNumber, paperMethods, paperNumbers } from "./paperNumbers.js";
import { paperMethodOf } from "./paperOf.js";
import { printedTables } from "./printedTables.js";

const fixtures = [
  { place: "Table 2", file: "auroc-cityscapes" },
  { place: "Table 3", file: "aupr-cityscapes" },
  { place: "Table 4", file: "max-amd-cityscapes" },
  { place: "Table 5", file: "max-f05-cityscapes" },
  { place: "Table 6", file: "auroc-bdd" },
  { place: "Table 7", file: "aupr-bdd" },
  { place: "Table 8", file: "max-amd-bdd" },
  { place: "Table 9", file: "max-f05-bdd" },
] as const;

/** A table as it was taken from the paper's LaTeX, the printed means with it. */
const fixture = (file: string): string[][] =>
  readFileSync(`test/fixtures/paper/${file}.csv`, "utf8")
    .trim()
    .split("\n")
    .map((line) => line.split(","));
const isMean = ([method]: readonly string[]) => method === "-- Mean --";

test.each(fixtures)("$place has every cell of the paper's", ({ place, file }) => {
  const [head, ...rows] = fixture(file);
  const printed = rows
    .filter((row) => !isMean(row))
    .flatMap(([method, ...cells]) => cells.map((cell, k) => ({ method, domain: head![k + 1], cell })))
    .filter(({ cell }) => cell !== "-")
    .map(({ method, domain, cell }) => {
      const [value, pac = null] = cell.split("@").map(Number);
      return { method, domain, value, pac };
    });
  const own = paperNumbers.filter((one) => one.place === place);
  expect(own.map(({ method, domain, value, pac }) => ({ method, domain, value, pac }))).toEqual(printed);
});

test("means of the rows are the paper's, but for one misprint (Z-17)", () => {
  const tables = printedTables(paperNumbers);
  const off = fixtures.flatMap(({ place, file }) => {
    const table = tables.find(({ title }) => title.startsWith(`${place}:`))!;
    const means = table.rows.filter(({ faint }) => faint);
    const printed = fixture(file).filter(isMean);
    expect(means.map(({ cells }) => cells[0])).toEqual(["mean epistemic", "mean representation"]);
    return means.flatMap(({ cells: [name, ...cells] }, i) =>
      cells.flatMap((cell, k) => {
        const [here, there] = [String(cell), printed[i]![k + 1]!].map((text) => text.split("@").map(Number));
        // Sums of rounded numbers: give or take one in the last digit.
        const same = here!.every((value, part) => Math.abs(value - there![part]!) < 0.0015);
        return same ? [] : [`${place}, ${name} on ${table.head[k + 1]}: ${cell}, printed ${printed[i]![k + 1]}`];
      }),
    );
  });
  expect(off).toEqual(["Table 4, mean epistemic on KITTI: 0.820 @ 0.782, printed 0.795@0.782"]);
  expect(misprintedMean).toMatchObject({ place: "Table 4", domain: "KITTI", printed: 0.795, recomputed: 0.82 });
  expect(tables.filter(({ notes }) => notes.length > 0).map(({ title, notes }) => [title, ...notes])).toEqual([
    [
      "Table 4: MaxA_MD @ p(a,c), source Cityscapes",
      "the paper prints 0.795 as the epistemic mean on KITTI; its rows give 0.820",
    ],
  ]);
});

test("numbers are shares; p(a,c) is at most the accuracy where the paper gives both", () => {
  for (const { value, pac } of paperNumbers) for (const share of [value, pac ?? 0]) expect(share).toBeLessThan(1);
  const key = ({ source, domain, method }: PaperNumber) => `${source} ${domain} ${method}`;
  const accuracies = new Map(
    paperNumbers.flatMap((one) => (one.measure === "accuracy" ? [[key(one), one.value] as const] : [])),
  );
  for (const one of paperNumbers) {
    expect(one.pac ?? 0, key(one)).toBeLessThanOrEqual(accuracies.get(key(one)) ?? 1);
  }
});

test("every row of the paper is a method, an ablation or the curriculum here", () => {
  const names = [...methods.map(({ name }) => name), ...Object.keys(ablations), "gamma-ssl-il"];
  const found = new Set(names.map(paperMethodOf));
  expect(paperMethods.filter((method) => !found.has(method))).toEqual([]);
  expect(paperMethodOf("odin")).toBe("Softmax_A");
  expect(paperMethodOf("no-filter")).toBe("M_γ=-∞");
  expect(paperMethodOf("energy")).toBeUndefined();
  expect(paperMethodOf("toString")).toBeUndefined();
});
