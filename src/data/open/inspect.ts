import { join } from "node:path";
import { writeAtomically } from "../../platform/atomicFile.js";
import { cacheFolder } from "../../platform/cacheFolder.js";
import { makeFolder } from "../../platform/files.js";
import { cancellable, type Watching } from "../../platform/watching.js";
import { findLeaks, repeated } from "../datasets/leaks.js";
import type { Problem } from "../datasets/problem.js";
import { contactSheet } from "./contactSheet.js";
import { type CheckedDataset, openChecked } from "./openChecked.js";

/** How `inspect` looks at data sets. */
export interface InspectOptions extends Omit<Watching, "onNote"> {
  /** Folder to write a contact sheet into; none is written when left out. */
  readonly to?: string | undefined;
  /** Images of each data set on the contact sheet; 12 when left out. */
  readonly sheet?: number | undefined;
  /** Where drawn scenes and remembered checks are kept; ~/.cache/gamma-ssl when left out. */
  readonly cache?: string | undefined;
  /** Called with each data set as soon as it is checked. */
  readonly onChecked?: ((checked: CheckedDataset) => void) | undefined;
}

/** What was found in some data sets. */
export interface Inspection {
  readonly datasets: readonly CheckedDataset[];
  /** Images that are in two of them: errors where one has labels, warnings where none has. */
  readonly leaks: readonly Problem[];
  /** The page that shows them; null where none was written. */
  readonly contactSheet: string | null;
}

/** Look at every image and label of some data sets, and at what they share, before anything is trained on them. */
export async function inspect(specs: readonly string[], options: InspectOptions = {}): Promise<Inspection> {
  const { to, sheet: images = 12, cache = cacheFolder(), onChecked } = options;
  const onProgress = cancellable(options);
  const datasets: CheckedDataset[] = [];
  for (const spec of specs) {
    const telling = (what: string, done: number, total: number): void => onProgress(`${what} ${spec}`, done, total);
    const checked = await openChecked(spec, { cache, onProgress: telling });
    datasets.push(checked);
    onChecked?.(checked);
  }
  const leaks: Problem[] = [];
  for (const [i, a] of datasets.entries()) {
    for (const b of datasets.slice(i + 1)) leaks.push(...(await findLeaks(a, b)), ...repeated(a, b));
  }
  if (to === undefined || images === 0) return { datasets, leaks, contactSheet: null };
  const page = join(to, "contact-sheet.html");
  await makeFolder(to);
  await writeAtomically(page, await contactSheet(datasets, leaks, { images }));
  return { datasets, leaks, contactSheet: page };
}
