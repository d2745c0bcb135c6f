import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ablations } from "../../methods/gamma-ssl/ablations.js";
import { methods } from "../../methods/registry.js";
import { sha256 } from "../../platform/seal.js";
import { misprintedMean, type PaperNumber, paperMethods, paperNumbers } from "./paperNumbers.js";
import { paperMethodOf } from "./paperOf.js";
import { printedTables } from "./printedTables.js";

const file = readFileSync("assets/paper.tsv");

test("every cell is the paper's: the file is as it was compared with the tables of arXiv 2402.17653", () => {
  expect(sha256(file)).toBe("c6f356465a26339870be91e7c03894eaca1b360a4f06551d958a3a662c1d3bc3");
  expect(new Set(paperNumbers.map(({ place }) => place)).size).toBe(12);
});

/** The means that the paper prints below the rows of a table, by domain. */
const printedMeans = (place: string): string[][] =>
  String(file)
    .split("\n")
    .map((line) => line.split("\t"))
    .filter((row) => row[0] === place && row[3]!.startsWith("mean "))
    .map((row) => row.slice(3).filter((cell) => cell !== "-"));

test("means of the rows are the paper's, but for one misprint (Z-17)", () => {
  const tables = printedTables(paperNumbers);
  const places = [2, 3, 4, 5, 6, 7, 8, 9].map((number) => `Table ${number}`);
  const off = places.flatMap((place) => {
    const table = tables.find(({ title }) => title.startsWith(`${place}:`))!;
    const means = table.rows.filter(({ faint }) => faint);
    const printed = printedMeans(place);
    expect(printed.map(([name]) => name)).toEqual(["mean epistemic", "mean representation"]);
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
