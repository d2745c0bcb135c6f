import { basename, dirname, join, resolve } from "node:path";
import { type OpenedResult, openResults } from "../evaluation/results/openResults.js";
import { distinctSlug, slug } from "../evaluation/results/slug.js";
import { writeAtomically } from "../platform/atomicFile.js";
import { makeFolder } from "../platform/files.js";
import { collectDataset } from "./collectReport.js";
import { pageHtml } from "./html.js";
import type { Plot } from "./plot.js";
import { plotsOf } from "./plots.js";
import type { ReportDataset } from "./reportData.js";
import { byDataset, labels, resultTables } from "./resultTable.js";
import { readStoryIfSound } from "./runStory.js";
import { tableCsv, tableLatex } from "./tableText.js";
import { readTrainingLog, trainingPlots } from "./trainingLog.js";
import { writePlot } from "./writePlot.js";

/** What images may take of a report that should fit into a mail. */
const IMAGE_BYTES = 9_000_000;

export interface ReportOptions {
  readonly imageBytes?: number;
  /** Called with what the reader should know, and that is no error. */
  readonly onNote?: (message: string) => void;
}

/** Write the report of some run folders to `file`, and its plots and tables into the folder `report` beside it. */
export async function writeReport(
  runs: readonly string[],
  file: string,
  { imageBytes = IMAGE_BYTES, onNote = () => {} }: ReportOptions = {},
): Promise<{ readonly bytes: number; readonly files: readonly string[] }> {
  const entries = (await Promise.all(runs.map((run) => openResults(run, onNote)))).flat();
  const names = runs.map((run) => basename(resolve(run)));
  const stories = await Promise.all(runs.map((run, i) => readStoryIfSound(run, names[i]!)));
  const logs = (await Promise.all(runs.map(readTrainingLog))).flatMap((log, i) => {
    const story = stories[i];
    const stages = typeof story === "object" ? story?.stages : undefined;
    return log === null ? [] : [{ run: names[i]!, log, stages }];
  });
  const training = trainingPlots(logs);
  const groups = [...byDataset(entries)];
  const datasets: ReportDataset[] = [];
  for (const [name, group] of groups) {
    const images = group.reduce((so, { examples }) => so + examples.length, 0);
    const all = entries.reduce((so, { examples }) => so + examples.length, 0);
    datasets.push(await collectDataset(name, group, (imageBytes * images) / Math.max(1, all)));
  }
  const html = pageHtml({
    title: names.join(", "),
    entries,
    data: { datasets },
    training,
    trained: logs.map(({ run }) => run),
    stories: stories.filter((story) => story !== null),
  });
  const folder = join(dirname(file), "report");
  await makeFolder(folder);
  const files = await writeBeside(folder, groups, training);
  await writeAtomically(file, html);
  return { bytes: Buffer.byteLength(html), files };
}

/** Each plot as SVG, PNG, CSV and LaTeX; each table as CSV and LaTeX. */
async function writeBeside(
  folder: string,
  groups: readonly (readonly [string, readonly OpenedResult[]])[],
  training: readonly Plot[],
): Promise<string[]> {
  const files: string[] = [];
  const write = async (path: string, content: string): Promise<void> => {
    await writeAtomically(path, content);
    files.push(path);
  };
  const taken = new Set<string>();
  for (const [dataset, group] of groups) {
    const into = join(folder, distinctSlug(dataset, taken));
    await makeFolder(into);
    const names = labels(group);
    for (const plot of plotsOf(group.map((entry, i) => ({ ...entry, label: names[i]! })))) {
      files.push(...(await writePlot(join(into, slug(plot.name)), plot)));
    }
    const tables = resultTables(group);
    await write(join(into, "table.csv"), tableCsv(tables));
    await write(join(into, "table.tex"), tableLatex(tables));
  }
  for (const plot of training) files.push(...(await writePlot(join(folder, slug(plot.name)), plot)));
  return files;
}
