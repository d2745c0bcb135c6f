import type { Dataset } from "../data/datasets/dataset.js";
import type { CheckedDataset } from "../data/open/openChecked.js";
import { openDataset } from "../data/open/openDataset.js";
import { UserError } from "../platform/errors.js";
import type { OnProgress } from "../platform/watching.js";
import type { TrainConfig } from "../runs/config.js";
import { refuseChosenOn, refuseSeen, sharing } from "../training/roles.js";
import { openValidated } from "../training/validatedData.js";
import { heldOutSpec } from "./heldOut.js";
import type { Selection } from "./results/resultFile.js";

export interface HeldOutRequest {
  /** Of the training. */
  readonly config: TrainConfig;
  /** Held-out images that were named. */
  readonly sourceVal: string | undefined;
  /** How settings are chosen, where somebody said so. */
  readonly select: Selection | undefined;
  /** Images that are measured on. */
  readonly measured: readonly CheckedDataset[];
  readonly cache: string;
  readonly onProgress: OnProgress;
  readonly onNote: (message: string) => void;
}

/** Images to choose on, and for which tests nothing may be chosen on them. */
export interface HeldOut {
  /** Null where none are known. */
  readonly dataset: Dataset | null;
  /** Of what is measured, the data sets that have some of its images. */
  readonly notFor: ReadonlySet<Dataset>;
}

/**
 * Labelled images of the source that the training has not seen: those named, or those the source's spec tells of. Without any,
 * settings stay at their first values, unless choosing was asked for. So they do for a test that has some of the guessed images;
 * where choosing on them was asked for, that is refused.
 */
export async function openHeldOut(request: HeldOutRequest): Promise<HeldOut> {
  const { config, sourceVal, select, measured, cache, onProgress, onNote } = request;
  const open = (spec: string): Promise<CheckedDataset> =>
    openValidated(spec, { cache, onProgress: (what, done, total) => onProgress(`${what} ${spec}`, done, total) });
  const openUnseen = async (spec: string): Promise<CheckedDataset> => {
    const found = await open(spec);
    // Settings chosen on training images would favour memorised ones.
    await refuseSeen(config, [found], { open, onNote, role: "choose" });
    if (sourceVal !== undefined || select === "source-val") await refuseChosenOn(found, measured);
    return found;
  };
  if (sourceVal !== undefined) return { dataset: (await openUnseen(sourceVal)).dataset, notFor: new Set() };
  // The whole spec: a default, or the dataset.json of a folder, may tell which images are held out.
  const spec = heldOutSpec((await openDataset(config.source, { cache })).spec);
  const hint = "name labelled images of the source that were not trained on: --source-val SPEC";
  if (spec === null && select === "source-val") {
    throw new UserError(`${config.source} does not tell which images of the source are held out`, { hint });
  }
  const found =
    spec === null ? null : await openUnseen(spec).catch((error: unknown) => guessFailed(error, select, onNote));
  if (found === null) {
    onNote(
      `settings stay at their usual values, and temperature-scaling is skipped: no held-out source images; ${hint}`,
    );
    return { dataset: null, notFor: new Set() };
  }
  const notFor = await sharing(found, measured);
  for (const test of notFor) {
    onNote(
      `${test.spec} has the held-out images of the source, ${found.dataset.spec}: nothing is chosen on images of the test, so settings stay at their usual values there, and temperature-scaling is skipped; ${hint}`,
    );
  }
  return { dataset: found.dataset, notFor };
}

/** Held-out images that were only guessed at may be missing, unless they were asked for. */
function guessFailed(error: unknown, select: Selection | undefined, onNote: (message: string) => void): null {
  if (!(error instanceof UserError) || select === "source-val") throw error;
  onNote(`no held-out images of the source: ${error.message}`);
  return null;
}
