import { UNKNOWN_LABEL, VOID_LABEL } from "../data/labels/labelSpace.js";
import type { StoredExample } from "../evaluation/results/examples.js";
import type { OpenedResult } from "../evaluation/results/openResults.js";
import type { ResultFile } from "../evaluation/results/resultFile.js";
import { auroc } from "../metrics/areas.js";
import { type Level, levelTable } from "../metrics/levels.js";
import { encodeImages, type Shown } from "./encodeImages.js";
import type { ExampleOfMethod, LevelColumns, ReportDataset, ReportMethod } from "./reportData.js";
import { labels } from "./resultTable.js";

/** What moves on the page, for one data set: levels of each method and the images, which take at most `budget` bytes. */
export async function collectDataset(
  name: string,
  entries: readonly OpenedResult[],
  budget: number,
): Promise<ReportDataset> {
  const names = labels(entries);
  const classes = entries.map(({ result }) => result.classes).sort((a, b) => b.length - a.length)[0] ?? [];
  return {
    name,
    classes,
    unscored: [
      ...(entries[0]?.result.policy.unknown === "ignore" ? [UNKNOWN_LABEL] : []),
      ...(entries[0]?.result.policy.void === "ignore" ? [VOID_LABEL] : []),
    ],
    methods: entries.map(({ result, set }, i) => {
      // Where labels say nothing, neither does any level.
      const table = result.accuracy === null ? [] : levelTable(set.total, result.levels);
      return methodOf(names[i]!, result, table);
    }),
    examples: await encodeImages(shownImages(entries), budget),
  };
}

function methodOf(label: string, result: ResultFile, table: readonly Level[]): ReportMethod {
  const column = <K extends keyof Level>(key: K): Level[K][] => table.map((level) => short(level[key]));
  const levels: LevelColumns = {
    threshold: column("threshold"),
    certain: column("certain"),
    precision: column("precision"),
    tpr: column("tpr"),
    fpr: column("fpr"),
    pac: column("pac"),
    amd: column("amd"),
    f05: column("f05"),
  };
  const mark = (name: string, meaning: string, threshold: number | undefined): ReportMethod["marks"] => {
    const level = threshold === undefined ? -1 : result.levels.indexOf(threshold);
    return level < 0 ? [] : [{ name, meaning, level }];
  };
  return {
    label,
    levels,
    confusion: result.confusion,
    marks: [
      ...mark("γ", "the threshold the method chose for itself, without labels", result.atGamma?.threshold),
      ...mark("best A_MD", "where certain and right agree most often", result.maxAmd?.threshold),
      ...mark("best F0.5", "where F0.5 is largest", result.maxF05?.threshold),
    ],
  };
}

/** Five digits are more than a screen can show. */
function short<T extends number | null>(value: T): T {
  return (typeof value === "number" ? Number(value.toPrecision(5)) : value) as T;
}

/** Every image that some method kept maps of. */
function shownImages(entries: readonly OpenedResult[]): Shown[] {
  const ids = [...new Set(entries.flatMap(({ examples }) => examples.map(({ id }) => id)))];
  const sketches = entries.map(({ set }) => new Map(set.images.map(({ id, sketch }) => [id, sketch])));
  return ids.map((id) => ({
    id,
    methods: entries.map(({ examples }, i) => {
      const example = examples.find((one) => one.id === id);
      if (example === undefined) return null;
      const sketch = sketches[i]!.get(id);
      const area = sketch === undefined ? null : short(auroc(sketch).value);
      const accuracy = sketch === undefined ? null : short(sketch.rights / (sketch.rights + sketch.wrongs));
      return { example, accuracy, auroc: area, confused: confusedIn(example) };
    }),
  }));
}

/** What an image has of every confusion; a few pixels at a border are not worth opening it for. */
function confusedIn({ labels, predicted }: StoredExample): ExampleOfMethod["confused"] {
  const counts = new Map<number, number>();
  for (let i = 0; i < labels.length; i++) {
    if (labels[i] === predicted[i] || labels[i]! >= UNKNOWN_LABEL) continue;
    const key = 256 * labels[i]! + predicted[i]!;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [...counts]
    .filter(([, pixels]) => pixels >= labels.length / 10_000)
    .sort(([, a], [, b]) => b - a)
    .map(([key, pixels]) => [key >> 8, key & 255, pixels] as const);
}
