import { byDataset, type Entry, labels } from "./resultTable.js";
import { type Inks, plainInks, type TextTable, textTables } from "./textTable.js";

type Segmentation = NonNullable<Entry["result"]["segmentation"]>;

/** A segmentation, and the methods that share it: those that differ in their uncertainty alone. */
interface Shared {
  readonly names: string[];
  readonly perClass: Segmentation["perClass"];
}

/** IoU of each class that occurs: a column for each segmentation, by the last of its methods, ours where it is among them. */
export const perClassText = (results: readonly Entry[], inks: Inks = plainInks): string =>
  textTables(
    [...byDataset(results)].map(([dataset, group]) => tableOf(dataset, group)),
    inks,
  );

function tableOf(dataset: string, entries: readonly Entry[]): TextTable {
  const shared = segmentationsOf(entries);
  const classes = shared[0]?.perClass.filter((_, k) => shared.some(({ perClass }) => perClass[k]?.iou != null)) ?? [];
  return {
    title: `${dataset}: IoU of each class`,
    head: ["class", "labelled pixels", ...shared.map(({ names }) => names.at(-1)!)],
    rows: classes.map(({ name, pixels }) => ({
      cells: [
        name,
        pixels.toLocaleString("en"),
        ...shared.map(({ perClass }) => perClass.find((one) => one.name === name)?.iou?.toFixed(3) ?? "–"),
      ],
    })),
    notes: shared.flatMap(({ names }) =>
      names.length === 1 ? [] : [`${names.slice(0, -1).join(", ")}: the same segmentation as ${names.at(-1)!}`],
    ),
  };
}

function segmentationsOf(entries: readonly Entry[]): Shared[] {
  const names = labels(entries);
  const shared = new Map<string, Shared>();
  for (const [i, { result }] of entries.entries()) {
    if (result.segmentation === null) continue;
    const { perClass } = result.segmentation;
    const key = JSON.stringify(perClass);
    const found = shared.get(key) ?? { names: [], perClass };
    found.names.push(names[i]!);
    shared.set(key, found);
  }
  return [...shared.values()];
}
