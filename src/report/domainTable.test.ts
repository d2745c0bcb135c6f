import { expect, test } from "vitest";
import { domainTable, measureTable } from "./domainTable.js";
import { methodCsv, methodLatex, methodText } from "./tableText.js";
import { bestAt, resultWith } from "./testing/resultWith.js";

/** Two cells of the paper's Table 2 in each row, or a gap. */
const row = (method: string, ...values: (number | null)[]) => ({
  label: method,
  method,
  results: values.map((auroc) => (auroc === null ? null : resultWith(method, { auroc }))),
});

test("one measure over domains: best of each, the mean of a family below its last row, a dash where there is none", () => {
  const table = domainTable(
    "auroc",
    ["LDN", "NF"],
    [
      row("max-softmax", 0.723, 0.686),
      row("vim", 0.635, 0.7),
      row("gamma-ssl", 0.895, 0.88),
      row("gamma-ssl-il", null, 0.88),
    ],
  );
  const { title, rows, head } = methodText("AUROC", table);
  expect([title, head]).toEqual(["AUROC", ["method", "LDN", "NF"]]);
  const bold = (text: string) => ({ text, ink: "bold" });
  expect(rows).toEqual([
    { cells: ["max-softmax", "0.723", "0.686"], faint: false },
    { cells: ["vim", "0.635", "0.700"], faint: false },
    { cells: ["mean representation", "0.679", "0.693"], faint: true },
    { cells: ["gamma-ssl", bold("0.895"), bold("0.880")], faint: false },
    { cells: ["gamma-ssl-il", "-", bold("0.880")], faint: false },
  ]);
  expect(methodCsv(["measure", "AUROC"], table).split("\n")[3]).toMatch(/^AUROC,mean representation,0.679,0.693/);
  expect(methodLatex("AUROC", table)).toContain("gamma-ssl-il & -- & \\textbf{0.880} \\\\");
});

test("p(a,c) goes with its value and is explained; several measures of one domain are columns", () => {
  const rows = [
    { label: "12", method: "gamma-ssl", results: [resultWith("m", { maxF05: bestAt(0.893, 0.548), accuracy: 0.703 })] },
    { label: "2", method: "gamma-ssl", results: [resultWith("m", { maxF05: bestAt(0.882, 0.518), accuracy: 0.69 })] },
  ];
  expect(domainTable("auroc", ["LDN"], rows).notes).toEqual([]);
  const table = measureTable(["maxF05", "accuracy"], rows);
  expect(table.notes).toEqual(["numbers after @ are p(a,c)"]);
  expect(methodText("LDN", table).rows[1]!.cells).toEqual(["2", "0.882 @ 0.518", "0.690"]);
});
