import pc from "picocolors";
import { findResults, noResults } from "../evaluation/results/findResults.js";
import { UserError } from "../platform/errors.js";
import { print, printJson, printNote } from "../platform/print.js";
import { printable } from "../platform/printable.js";
import { resultTables } from "../report/resultTable.js";
import { tableCsv, tableLatex, tableText } from "../report/tableText.js";

export async function compare(
  paths: readonly string[],
  options: { json?: true; csv?: true; latex?: true },
): Promise<void> {
  const asked = (["json", "csv", "latex"] as const).filter((format) => options[format]);
  if (asked.length > 1) throw new UserError(`compare: --${asked.join(" and --")} at once`, { hint: "choose one" });
  const found = await Promise.all(paths.map(findResults));
  if (found.every((results) => results.length === 0)) throw noResults(paths.join(", "));
  for (const [i, results] of found.entries()) if (results.length === 0) printNote(`note: no results in ${paths[i]}`);
  const tables = resultTables(found.flat());
  if (options.json) {
    const plain = tables.map(({ dataset, columns, rows, notes }) => ({
      dataset,
      notes,
      rows: rows.map(({ label, kind, cells }) => ({
        label,
        kind,
        ...Object.fromEntries(columns.map(({ key }, k) => [key, cells[k]!])),
      })),
    }));
    printJson(plain, 1);
  } else if (options.csv) print(tableCsv(tables));
  else if (options.latex) print(tableLatex(tables));
  else {
    print(tableText(tables, { bold: pc.bold, strike: pc.strikethrough, faint: pc.dim, printable }));
  }
}
