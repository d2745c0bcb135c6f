import { join } from "node:path";
import { readText } from "../../platform/files.js";

/** "2011_09_26_drive_0005", from the path of a raw frame. */
export function driveOf(path: string): string | undefined {
  return /\d{4}_\d{2}_\d{2}_drive_\d{4}/.exec(path)?.[0];
}

/** Which raw drives the labelled frames of KITTI were taken from. */
export interface LabelledDrives {
  readonly drives: ReadonlySet<string>;
  /** By frame: line n of the mapping is frame n. Undefined where the drive was never published. */
  readonly byFrame: readonly (string | undefined)[];
}

/** Read the devkit's mapping, a line `date drive frame` for each labelled frame, blank where there is no raw drive. */
export async function labelledDrives(root: string): Promise<LabelledDrives | undefined> {
  for (const folder of ["mapping", "devkit/mapping", "training/mapping"]) {
    const text = await readText(join(root, folder, "train_mapping.txt")).catch(() => undefined);
    if (text === undefined) continue;
    const byFrame = text.split(/\r?\n/).map(driveOf);
    return { drives: new Set(byFrame.filter((drive) => drive !== undefined)), byFrame };
  }
  return undefined;
}
