import { join } from "node:path";
import { writeReport } from "../../lab/report/writeReport.js";
import { printable } from "../../printable.js";

export async function report(runs: readonly string[], options: { to?: string }): Promise<void> {
  const file = options.to ?? join(runs[0]!, "report.html");
  const { bytes, files } = await writeReport(runs, file);
  console.log(
    printable(`${file}  (${(bytes / 1e6).toFixed(1)} MB, opens offline; ${files.length} files in report/ beside it)`),
  );
}
