import type { Dataset } from "../data/datasets/dataset.js";
import type { CheckedDataset } from "../data/datasets/openChecked.js";
import { UserError } from "../platform/errors.js";
import type { OnProgress } from "../platform/watching.js";
import { openValidated, refuseLeaks } from "../training/validatedData.js";
import { heldOutSpec } from "./heldOut.js";
import type { Selection } from "./results/resultFile.js";

export interface HeldOutRequest {
  readonly source: Dataset;
  /** Held-out images that were named. */
  readonly sourceVal: string | undefined;
  /** How settings are chosen, where somebody said so. */
  readonly select: Selection | undefined;
  readonly cache: string;
  readonly onProgress: OnProgress;
  readonly onNote: (message: string) => void;
}

/**
 * Labelled images of the source that the training has not seen: those named, or those the source's spec tells of. Without any,
 * settings stay at their first values, unless choosing was asked for.
 */
export async function openHeldOut(request: HeldOutRequest): Promise<Dataset | null> {
  const { source, sourceVal, select, cache, onProgress, onNote } = request;
  const open = (spec: string): Promise<CheckedDataset> =>
    openValidated(spec, { cache, onProgress: (what, done, total) => onProgress(`${what} ${spec}`, done, total) });
  const openUnseen = async (spec: string): Promise<CheckedDataset> => {
    const found = await open(spec);
    // Settings chosen on images that were trained on would be chosen by memory.
    await refuseLeaks(await open(source.spec), found);
    return found;
  };
  if (sourceVal !== undefined) return (await openUnseen(sourceVal)).dataset;
  const spec = heldOutSpec(source.spec);
  const hint = "name labelled images of the source that were not trained on: --source-val SPEC";
  if (spec === null && select === "source-val") {
    throw new UserError(`${source.spec} does not tell which images of the source are held out`, { hint });
  }
  const found =
    spec === null ? null : await openUnseen(spec).catch((error: unknown) => guessFailed(error, select, onNote));
  if (found === null) {
    onNote(`settings stay at their usual values, and temperature-scaling is left out of all; ${hint}`);
  }
  return found?.dataset ?? null;
}

/** Held-out images that were only guessed at may be missing, unless they were asked for. */
function guessFailed(error: unknown, select: Selection | undefined, onNote: (message: string) => void): null {
  if (!(error instanceof UserError) || select === "source-val") throw error;
  onNote(`no held-out images of the source: ${error.message}`);
  return null;
}
