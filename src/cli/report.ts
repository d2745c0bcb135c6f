import { join } from "node:path";
import { print } from "../platform/print.js";
import { writeReport } from "../report/writeReport.js";

export async function report(runs: readonly string[], options: { to?: string }): Promise<void> {
  const file = options.to ?? join(runs[0]!, "report.html");
  const { bytes, files } = await writeReport(runs, file);
  print(`${file}  (${(bytes / 1e6).toFixed(1)} MB, opens offline; ${files.length} files in report/ beside it)`);
}
