import { basename } from "node:path";
import type { DatasetCheck } from "./checkDataset.js";
import type { Dataset, Item } from "./dataset.js";
import { driveOf, labelledDrives } from "./kittiDrives.js";
import { type Problem, problem } from "./problem.js";
import { parseSpec } from "./spec.js";

/** A data set with the check that hashed its images. */
export interface Checked {
  readonly dataset: Dataset;
  readonly check: Pick<DatasetCheck, "hashes">;
}

/** Names that tell the recording a frame was taken from. */
type Recordings = Map<string, string>;

/**
 * Images that two data sets share: a network that has seen a test image, even without labels, is not tested by it
 * (requirements D-5 and D-6). By content, byte for byte; and where one set is labelled and the other is not, also by recording:
 * the same KITTI drive, the same BDD video. Two unlabelled sets cannot leak into each other.
 */
export async function findLeaks(a: Checked, b: Checked): Promise<Problem[]> {
  if (a.dataset.labelling === null && b.dataset.labelling === null) return [];
  const found = sharedContent(a, b);
  if ((a.dataset.labelling === null) !== (b.dataset.labelling === null)) {
    const already = new Set(found.map(({ file }) => file));
    const shared = await sharedRecordings(a.dataset, b.dataset);
    found.push(...shared.filter(({ file }) => !already.has(file)));
  }
  return found;
}

/** Images that two data sets share byte for byte, labelled or not: each as its file in the second and in the first. */
export function sharedImages(a: Checked, b: Checked): { readonly file: string; readonly other: string }[] {
  const first = new Map<string, string>();
  for (const [file, hash] of a.check.hashes) if (!first.has(hash)) first.set(hash, file);
  return [...b.check.hashes].flatMap(([file, hash]) => {
    const other = first.get(hash);
    return other === undefined ? [] : [{ file, other }];
  });
}

/** Two unlabelled data sets with the same images, which is no leak, but seldom what was meant: a warning, or none. */
export function repeated(a: Checked, b: Checked): Problem[] {
  if (a.dataset.labelling !== null || b.dataset.labelling !== null) return [];
  const [shared] = sharedImages(a, b);
  if (shared === undefined) return [];
  const count = sharedImages(a, b).length;
  const message = `${count} of the ${b.dataset.items.length} images of ${b.dataset.spec} are in ${a.dataset.spec} too`;
  return [problem("warning", "content-twice", shared.file, message, "name them once, or other images")];
}

function sharedContent(a: Checked, b: Checked): Problem[] {
  const { spec } = a.dataset;
  return sharedImages(a, b).map(({ file, other }) =>
    leak(file, other === file ? `is in ${spec} too` : `is the same image as ${other} of ${spec}`),
  );
}

async function sharedRecordings(a: Dataset, b: Dataset): Promise<Problem[]> {
  const [ofA, ofB] = [await recordingsOf(a), await recordingsOf(b)];
  const unknown = [ofA, ofB].find((known) => !(known instanceof Map));
  if (unknown !== undefined && !(unknown instanceof Map)) {
    const drives = [ofA, ofB].some(
      (known) => known instanceof Map && [...known.values()].some((name) => name.includes("_drive_")),
    );
    return drives ? [unknown] : [];
  }
  const found: Problem[] = [];
  if (!(ofA instanceof Map) || !(ofB instanceof Map)) return found;
  const first = new Map([...ofA].map(([file, recording]) => [recording, file]));
  for (const [file, recording] of ofB) {
    const other = first.get(recording);
    if (other !== undefined) {
      found.push(leak(file, `was recorded with ${other} of ${a.spec}: both are ${recording}`));
    }
  }
  return found;
}

/** File to recording, for frames whose recording is known; a warning if it could be known but is not. */
async function recordingsOf(dataset: Dataset): Promise<Recordings | Problem> {
  const { reader, path, options } = parseSpec(dataset.spec);
  if (reader === "kitti" && options.get("split") === "training") {
    const drives = await labelledDrives(path);
    if (drives === undefined) {
      return problem(
        "warning",
        "drive-unknown",
        path,
        "which raw drives the labelled frames come from is not known, so that shared drives cannot be found",
        "copy mapping/train_mapping.txt from the devkit there",
      );
    }
    return recordings(dataset.items, ({ id }) => drives.byFrame[Number.parseInt(id, 10)]);
  }
  return recordings(dataset.items, ({ image }) => {
    // BDD names a frame after the video it comes from.
    const video = /^[0-9a-f]{8}-[0-9a-f]{8}/.exec(basename(image))?.[0];
    return driveOf(image) ?? (video === undefined ? undefined : `BDD video ${video}`);
  });
}

function recordings(items: readonly Item[], name: (item: Item) => string | undefined): Recordings {
  const known: Recordings = new Map();
  for (const item of items) {
    const recording = name(item);
    if (recording !== undefined) known.set(item.image, recording);
  }
  return known;
}

function leak(file: string, message: string): Problem {
  return problem("error", "leak", file, message, "take it out of one of the two data sets");
}
