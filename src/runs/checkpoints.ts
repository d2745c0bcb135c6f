import { readdir, readFile, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { firstNonFinite, type Tensors } from "../engine/tensor/hostTensor.js";
import { readSafetensors, writeSafetensors } from "../engine/tensor/safetensors.js";
import { removeDrafts, writeAtomically } from "../platform/atomicFile.js";
import { UserError } from "../platform/errors.js";
import { makeFolder } from "../platform/files.js";
import { readJson } from "../platform/json.js";
import { sha256 } from "../platform/seal.js";

/** Everything needed to go on: the tensors carried from step to step, and how many steps led to them. */
export interface Checkpoint {
  readonly step: number;
  readonly state: Tensors;
}

const sealSchema = z.strictObject({
  step: z.int().nonnegative(),
  run: z.string(),
  bytes: z.int(),
  sha256: z.string(),
});

/** Whole checkpoints older than the newest two are not used. */
const KEPT = 2;

/**
 * The checkpoints of a run: `step-00000100.safetensors`, and beside it `step-00000100.json`, its seal (length and sha256).
 *
 * The tensors are on disk, whole, before the seal is written: a checkpoint without a seal that fits does not count. So
 * whatever moment the power goes, the newest sealed one loads.
 */
export class Checkpoints {
  readonly #folder: string;
  readonly #run: string;
  /** Steps that were saved or loaded here. */
  readonly #whole = new Set<number>();

  private constructor(folder: string, run: string) {
    this.#folder = folder;
    this.#run = run;
  }

  /** `run` is the hash of what decides the weights: checkpoints of other settings are refused. */
  static async open(folder: string, run: string): Promise<Checkpoints> {
    await makeFolder(folder);
    // What a killed process left half written: drafts, and tensors without a seal.
    await removeDrafts(folder);
    const names = new Set(await readdir(folder));
    for (const name of names) {
      if (/^step-\d+\.safetensors$/.test(name) && !names.has(name.replace(/safetensors$/, "json"))) {
        await rm(join(folder, name), { force: true });
      }
    }
    return new Checkpoints(folder, run);
  }

  /** Once this returns, the step survives anything that leaves the disk alone. */
  async save({ step, state }: Checkpoint): Promise<void> {
    for (const [name, tensor] of Object.entries(state)) {
      const at = firstNonFinite(tensor);
      if (at >= 0) {
        throw new UserError(`step ${step}: "${name}" holds ${tensor.data[at]} at element ${at}; not saved`, {
          hint: "training went astray: a lower learning rate or gradient clipping may help",
        });
      }
    }
    const bytes = writeSafetensors(state, { format: "gamma-ssl checkpoint", step: String(step), run: this.#run });
    const name = fileName(step);
    await writeAtomically(join(this.#folder, `${name}.safetensors`), bytes, { durable: true });
    const seal: z.infer<typeof sealSchema> = { step, run: this.#run, bytes: bytes.length, sha256: sha256(bytes) };
    await writeAtomically(join(this.#folder, `${name}.json`), `${JSON.stringify(seal)}\n`, { durable: true });
    this.#whole.add(step);
    // Whole ones first: a damaged one must not take the place of one that loads.
    const steps = await this.#steps();
    const whole = steps.filter((one) => this.#whole.has(one));
    const others = steps.filter((one) => !this.#whole.has(one));
    for (const old of [...whole, ...others].slice(KEPT)) await this.#remove(old);
  }

  /** The newest checkpoint that is whole, or null. Damaged ones are skipped with a message. */
  async newest(onDamaged: (message: string) => void): Promise<Checkpoint | null> {
    for (const step of await this.#steps()) {
      try {
        const state = await this.#load(step);
        this.#whole.add(step);
        return { step, state };
      } catch (error) {
        if (error instanceof OtherRun || !(error instanceof UserError)) throw error;
        onDamaged(error.message);
      }
    }
    return null;
  }

  /** Remove all of them: the training has ended, and its weights are written. */
  async clear(): Promise<void> {
    for (const step of await this.#steps()) await this.#remove(step);
    await rmdir(this.#folder).catch(() => {}); // not ours alone, if it is not empty
  }

  #steps(): Promise<number[]> {
    return sealedSteps(this.#folder);
  }

  async #load(step: number): Promise<Tensors> {
    const path = join(this.#folder, `${fileName(step)}.safetensors`);
    const seal = await this.#seal(step);
    if (seal.run !== this.#run) throw new OtherRun(path);
    const bytes = await readFile(path).catch((cause: unknown) => {
      throw new UserError(`${path}: cannot be read`, { cause });
    });
    if (bytes.length !== seal.bytes || sha256(bytes) !== seal.sha256) {
      throw new UserError(`${path}: damaged, its sha256 is not the one that was written down`);
    }
    return readSafetensors(bytes, path).tensors;
  }

  async #seal(step: number): Promise<z.infer<typeof sealSchema>> {
    const path = join(this.#folder, `${fileName(step)}.json`);
    try {
      const seal = await readJson(path, { schema: sealSchema, hint: "" });
      if (seal.step !== step) throw new Error(`is of step ${seal.step}`);
      return seal;
    } catch (cause) {
      throw new UserError(`${path}: damaged, or not a checkpoint's seal`, { cause });
    }
  }

  /** Seal first: a checkpoint that is half removed must not look whole. */
  async #remove(step: number): Promise<void> {
    await rm(join(this.#folder, `${fileName(step)}.json`), { force: true });
    await rm(join(this.#folder, `${fileName(step)}.safetensors`), { force: true });
  }
}

/** Steps of which a folder has a checkpoint with a seal, newest first. */
export const sealedSteps = async (folder: string): Promise<number[]> =>
  (await readdir(folder))
    .map((name) => /^step-(\d+)\.json$/.exec(name)?.[1])
    .filter((digits) => digits !== undefined)
    .map(Number)
    .sort((a, b) => b - a);

/** Not damage: other settings in a folder that holds a run. */
class OtherRun extends UserError {
  constructor(path: string) {
    super(`${path}: comes from a run with other settings`, {
      hint: "use another run folder, or --overwrite to start over in this one",
    });
  }
}

const fileName = (step: number): string => `step-${String(step).padStart(8, "0")}`;
