import { existsSync } from "node:fs";
import { join } from "node:path";
import { togetherFingerprint } from "../../runs/fingerprint.js";
import { runFiles, startFile } from "../../runs/runFiles.js";
import { storedFingerprint } from "../../runs/sealedTensors.js";
import type { ResultFile } from "./resultFile.js";

/** Files of a run folder that results name. Others are where the run began, which it has a copy of. */
const inRun = /^(weights\.safetensors$|stages\/|baselines\/)/;

/** Tells results of the weights that run folders hold from those of others. Each file is looked at once. */
export class WeightsNow {
  /** Fingerprint to take for the weights that a run ended with. */
  readonly #last: string | undefined;
  readonly #known = new Map<string, Promise<string>>();

  constructor(last?: string) {
    this.#last = last;
  }

  /** Whether a result is of the weights in a run folder, as far as can be told. */
  async has(run: string, { network }: ResultFile): Promise<boolean> {
    // Somebody's predictions; or results that lie somewhere by themselves.
    if (network === null || !existsSync(join(run, runFiles.config))) return true;
    const files = inRun.test(network.file) ? network.file.split(", ") : [startFile];
    const paths = files.map((file) => join(run, file));
    if (!paths.every(existsSync)) {
      // Networks of baselines are large, and may be removed when they are measured. A run without its weights is being trained again.
      return files.every((file) => file.startsWith("baselines/"));
    }
    const found = await Promise.all(files.map((file, i) => this.#fingerprint(file, paths[i]!)));
    return togetherFingerprint(found) === network.fingerprint;
  }

  #fingerprint(file: string, path: string): Promise<string> {
    if (file === runFiles.weights && this.#last !== undefined) return Promise.resolve(this.#last);
    const found = this.#known.get(path) ?? storedFingerprint(path);
    this.#known.set(path, found);
    return found;
  }
}
