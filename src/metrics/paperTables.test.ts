import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { bestRows, changePercent, groupMean, isDiscounted, pairMean, type ValueAtPac } from "./paperTables.js";

const tsv = (path: string): string[][] =>
  readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .map((line) => line.split("\t"));

type Table = { name: string; columns: string[]; rows: { method: string; cells: string[] }[] };

/** A table of the paper, without the columns that it does not have. */
function table(place: string): Table {
  const [head, ...lines] = tsv("assets/paper.tsv");
  const own = lines.filter((line) => line[0] === place);
  const kept = head!.flatMap((_, k) => (k > 3 && own.some((line) => line[k] !== "-") ? [k] : []));
  const rows = own.map((line) => ({ method: line[3]!, cells: kept.map((k) => line[k]!) }));
  return { name: place, columns: kept.map((k) => head![k]!), rows };
}

const number = (cell: string) => (cell === "-" ? null : Number(cell));
const pair = (cell: string) => {
  const [value, pac] = cell.split("@").map(Number);
  return cell === "-" ? null : { value: value!, pac: pac! };
};
/** Rows of the two groups, and the mean the paper prints below each. */
const groups = [
  { from: 0, to: 7 },
  { from: 8, to: 14 },
] as const;

/** Printed means that our recomputation does not round to, give or take one in the last digit for sums of rounded numbers. */
function misprints({ name, columns, rows }: Table, part: (cell: string) => number | null): string[] {
  return groups.flatMap(({ from, to }) =>
    columns.flatMap((column, k) => {
      const mean = groupMean(rows.slice(from, to).map(({ cells }) => part(cells[k]!)))!;
      const printed = part(rows[to]!.cells[k]!)!;
      return Math.abs(mean - printed) <= 0.00101
        ? []
        : [`${name} ${column}: printed ${printed}, is ${mean.toFixed(3)}`];
    }),
  );
}

test("group means of the paper are the means of its rows, but for one known misprint (Z-17)", () => {
  const plain = [2, 3, 6, 7].flatMap((n) => misprints(table(`Table ${n}`), number));
  const pairs = [4, 5, 8, 9].map((n) => table(`Table ${n}`));
  const values = pairs.flatMap((one) => misprints(one, (cell) => pair(cell)?.value ?? null));
  const pacs = pairs.flatMap((one) => misprints(one, (cell) => pair(cell)?.pac ?? null));
  expect([...plain, ...values, ...pacs]).toEqual(["Table 4 KITTI: printed 0.795, is 0.820"]);
});

test("a pair mean takes both parts of the cells that have them", () => {
  expect(pairMean([{ value: 0.4, pac: 0.2 }, null, { value: 0.6, pac: 0.4 }])).toEqual({
    value: 0.5,
    pac: expect.closeTo(0.3, 12),
  });
  expect(pairMean([null])).toBeNull();
});

test("the domain-shift table follows from the AUROC and AUPR tables", () => {
  const [roc, pr] = [table("Table 2"), table("Table 3")];
  const [[, ...columns] = [], ...printed] = tsv("test/fixtures/paper/domain-shift.tsv");
  const changes = printed.map(([method], i) => {
    // London knows no second stage: γ-SSL_iL starts from γ-SSL's London value (E-12).
    const from = (one: Table) => number(one.rows[method === "γ-SSL_iL" ? i - 1 : i]!.cells[0]!);
    const at = (one: Table, k: number) => number(one.rows[i]!.cells[k]!);
    return [
      changePercent(from(roc), at(roc, 1)),
      changePercent(from(pr), at(pr, 1)),
      changePercent(at(roc, 1), at(roc, 2)),
      changePercent(at(pr, 1), at(pr, 2)),
    ];
  });
  // A mean row is the mean of the changes above it, not the change of the means.
  for (const { from, to } of groups) {
    changes[to] = changes[to]!.map((_, k) => groupMean(changes.slice(from, to).map((row) => row[k]!)));
  }
  for (const [i, [method, ...cells]] of printed.entries()) {
    for (const [k, cell] of cells.entries()) {
      // The paper computed these from unrounded values.
      expect(Math.abs(changes[i]![k]! - Number(cell)), `${method} ${columns[k]}`).toBeLessThan(0.25);
    }
  }
});

test("a change from nothing is no percentage", () => {
  expect(changePercent(0, 1)).toBeNull();
  expect(changePercent(null, 1)).toBeNull();
});

test("MaxA_MD rows with a p(a,c) that prints as 0.000 are discounted", () => {
  const { rows } = table("Table 4");
  const scotland = rows.filter(({ cells }) => isDiscounted(pair(cells[2]!)!));
  expect(scotland.map(({ method }) => method)).toEqual(["DUM"]);
  expect(isDiscounted({ value: 0.9, pac: 0.0005 })).toBe(false);
});

test("a discounted row is never the best", () => {
  expect(bestRows([0.9, 0.8, null, 0.8], [true, false])).toEqual([1, 3]);
  expect(bestRows([null])).toEqual([]);
});

/** Wrong and certain pixels, as a share of all, that a printed F0.5 @ p(a,c) implies at accuracy a (E-10). Never negative. */
function impliedFalsePositives({ value, pac }: ValueAtPac, accuracy: number): number {
  return (1.25 * pac) / value - 1.25 * pac - 0.25 * (accuracy - pac);
}

test("each F0.5 of γ-SSL in the paper leaves a possible number of wrong, certain pixels (E-10)", () => {
  const accuracy = [0.703, 0.595, 0.431, 0.817, 0.684];
  const ours = table("Table 5").rows.find(({ method }) => method === "γ-SSL")!;
  const implied = ours.cells.map((cell, k) => impliedFalsePositives(pair(cell)!, accuracy[k]!));
  expect(Math.min(...implied)).toBeGreaterThanOrEqual(0);
  expect(implied[0]).toBeCloseTo(0.043, 3);
  expect(0.548 / (0.548 + implied[0]!)).toBeCloseTo(0.927, 3);
});
