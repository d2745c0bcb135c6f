import { stat } from "node:fs/promises";
import { join } from "node:path";
import { sharedImages } from "../../data/datasets/leaks.js";
import { unlabelled } from "../../data/datasets/spec.js";
import { type CheckedDataset, openChecked } from "../../data/open/openChecked.js";
import { findResults } from "../../evaluation/results/findResults.js";
import { cacheFolder } from "../../platform/cacheFolder.js";
import { UserError } from "../../platform/errors.js";
import { type Computing, cancellable, type Watching } from "../../platform/watching.js";
import { readConfig } from "../../runs/config.js";
import { runFiles } from "../../runs/runFiles.js";
import { seenRemarks } from "../../training/roles.js";

interface RolesAsked extends Watching, Pick<Computing, "cache"> {
  /** Images that are chosen from, as a spec. */
  readonly on: string;
}

/** Images that the model's run was trained or measured on are seldom the ones to label next: its folder tells which they are. */
export async function tellRoles(run: string, options: RolesAsked): Promise<void> {
  const { on, cache = cacheFolder(), onNote = () => {} } = options;
  if ((await stat(join(run, runFiles.config)).catch(() => undefined)) === undefined) return;
  const onProgress = cancellable(options);
  const open = (spec: string): Promise<CheckedDataset> =>
    openChecked(spec, { cache, onProgress: (what, done, total) => onProgress(`${what} ${spec}`, done, total) });
  try {
    const images = await open(unlabelled(on));
    const config = await readConfig(join(run, runFiles.config));
    for (const remark of await seenRemarks(config, images, { open, onNote })) onNote(`warning: ${remark}`);
    for (const spec of new Set((await findResults(run, onNote)).map(({ result }) => result.dataset))) {
      const shared = sharedImages(await open(spec), images).length;
      const all = images.dataset.items.length;
      if (shared > 0) {
        onNote(
          `warning: the run was measured on ${shared} of these ${all} images (${spec}): what is trained on them must be measured on others`,
        );
      }
    }
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    onNote(`cannot tell whether the run has seen these images: ${error.message}`);
  }
}
