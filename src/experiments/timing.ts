import { join } from "node:path";
import { constant, input, type Value } from "../engine/graph/value.js";
import { number, sub } from "../engine/ops/elementwise.js";
import { foldConvs } from "../engine/ops/foldConvs.js";
import { argmax, l2Normalise } from "../engine/ops/reduce.js";
import { bindInputs } from "../engine/runtime/bindInputs.js";
import { compile } from "../engine/runtime/compile.js";
import type { Program, Runtime } from "../engine/runtime/runtime.js";
import { float32, type HostTensor, type Tensors } from "../engine/tensor/hostTensor.js";
import { random } from "../engine/tensor/random.js";
import { supervisedLike } from "../evaluation/baselineRuns.js";
import { stacked } from "../evaluation/predictors/draws.js";
import { disagreement } from "../methods/baselines/disagreement.js";
import { maxSoftmax } from "../methods/baselines/maxSoftmax.js";
import { type DroppingNetwork, dropoutDraws, dropoutNoise } from "../methods/baselines/mcDropout.js";
import { storedPrototypes } from "../methods/gamma-ssl/prototypes.js";
import { amongSeen, confidence, sharpened } from "../methods/gamma-ssl/segmentation.js";
import type { Scored } from "../methods/parts/networkOutputs.js";
import { fastInferencePass } from "../networks/layers/pass.js";
import { readTensors } from "../runs/inferenceNetwork.js";
import { networkOf, type TrainedRun } from "../runs/openRun.js";
import { runFiles } from "../runs/runFiles.js";

/** Draws of MC dropout, and the share of channels it drops (B-1). */
const DRAWS = 8;
const RATE = 0.2;

/** Something that is timed: an image [1, 3, H, W] in, classes and uncertainty out. */
interface TimedMethod {
  readonly name: string;
  run(images: HostTensor): Promise<void>;
  close(): Promise<void>;
}

/** Makes the methods of Table 12 ready to run. Weights do not change the time: every network here has the run's own. */
class TimedMethods {
  readonly #runtime: Runtime;
  readonly #run: TrainedRun;
  readonly #images: Value;
  readonly #members: Program[] = [];

  constructor(runtime: Runtime, run: TrainedRun, [height, width]: readonly [number, number]) {
    this.#runtime = runtime;
    this.#run = run;
    this.#images = input("images", { dtype: "float32", shape: [1, 3, height, width] });
  }

  /** One network and its head, by largest probability: the paper's word for every method that takes one pass. */
  async vanilla(): Promise<TimedMethod> {
    const { forward } = networkOf(this.#run);
    return this.#single("Vanilla", maxSoftmax.score(forward(this.#images), {}, { temperature: 1 }));
  }

  /** Ours: the same network, a projection and prototypes instead of the head. Null where the run has no projection. */
  async ours(): Promise<TimedMethod | null> {
    const { config, classes } = this.#run;
    const { gammaNetwork, forward } = networkOf(this.#run);
    if (gammaNetwork === null || config.method !== "gamma-ssl") return null;
    const draw = random("prototypes");
    const { channels } = gammaNetwork;
    const drawn = float32([channels, classes], Float32Array.from({ length: channels * classes }, draw.normal));
    const { vectors, seen } = storedPrototypes(l2Normalise(constant(drawn), 0));
    const outputs = forward(this.#images);
    const { temperature, score } = config.options;
    const cosines = amongSeen(gammaNetwork.cosines(outputs.features, vectors, fastInferencePass), seen);
    const sharp = outputs.enlarge(sharpened(cosines, temperature));
    const uncertainty = sub(number(1), confidence(sharp, score, temperature));
    return this.#single("Ours", { predicted: argmax(sharp, 1), uncertainty });
  }

  /** MC dropout, each draw a pass of its own through the whole network. */
  async dropoutPlain(): Promise<TimedMethod> {
    const { logits, noises } = dropoutDraws(this.#dropping(), this.#images, 1, "plain");
    const draw = await this.#bound({ logits });
    const together = await this.#together(DRAWS, logits);
    const noise = Array.from({ length: DRAWS }, (_, seed) => dropoutNoise(noises, seed));
    return {
      name: `MCD-${DRAWS} plain`,
      async run(images) {
        const votes: HostTensor[] = [];
        for (const one of noise) votes.push((await draw.run({ images, ...one })).logits!);
        await together.run({ votes: stacked(votes) });
      },
      close: async () => void (await Promise.all([draw.close(), together.close()])),
    };
  }

  /** MC dropout, all draws in one pass that share what comes before the first dropout. */
  async dropoutCached(): Promise<TimedMethod> {
    const { logits, noises } = dropoutDraws(this.#dropping(), this.#images, DRAWS, "cached");
    const program = await this.#bound({ ...disagreement(logits, "probabilities") });
    const noise = dropoutNoise(noises, 0);
    return {
      name: `MCD-${DRAWS} cached`,
      run: async (images) => void (await program.run({ images, ...noise })),
      close: () => program.close(),
    };
  }

  /** An ensemble: each member's weights read when it is its turn (LM), or all of them ready in memory (HM). */
  async ensemble(members: number, memory: "low" | "high"): Promise<TimedMethod> {
    const { forward } = networkOf(this.#run);
    const { logits } = forward(this.#images);
    const together = await this.#together(members, logits);
    const vote = memory === "low" ? await this.#readEachTime({ logits }) : await this.#allReady({ logits }, members);
    return {
      name: `Ens-${members} ${memory === "low" ? "LM" : "HM"}`,
      async run(images) {
        const votes: HostTensor[] = [];
        for (let member = 0; member < members; member++) votes.push((await vote.run(member, images)).logits!);
        await together.run({ votes: stacked(votes) });
      },
      async close() {
        await Promise.all([together.close(), vote.close()]);
      },
    };
  }

  /** The run's network with dropout in its encoder. */
  #dropping(): DroppingNetwork {
    const { config, classes } = this.#run;
    const base = supervisedLike(config);
    return networkOf({ config: { ...base, network: { ...base.network, encoderDropout: RATE } }, classes }).network;
  }

  /** PE and MI of so many `votes` like these logits. */
  #together(count: number, { shape }: Value): Promise<Program> {
    const votes = input("votes", { dtype: "float32", shape: [count, ...shape.slice(1)] });
    return compile(this.#runtime, { outputs: { ...disagreement(votes, "probabilities") } });
  }

  async #readEachTime(outputs: Record<string, Value>): Promise<Votes> {
    const program = await compile(this.#runtime, { outputs });
    const path = join(this.#run.folder, runFiles.weights);
    return {
      run: async (_, images) => program.run({ images, ...(await readTensors(path)) }),
      close: () => program.close(),
    };
  }

  /** A small ensemble is the first members of a large one: they are held once. */
  async #allReady(outputs: Record<string, Value>, members: number): Promise<Votes> {
    const programs = this.#members;
    while (programs.length < members) programs.push(await this.#bound(outputs));
    return {
      run: (member, images) => programs[member]!.run({ images }),
      close: async () => void (await Promise.all(programs.splice(0).map((program) => program.close()))),
    };
  }

  async #single(name: string, { predicted, uncertainty }: Scored): Promise<TimedMethod> {
    const program = await this.#bound({ predicted, uncertainty });
    return { name, run: async (images) => void (await program.run({ images })), close: () => program.close() };
  }

  /** A program with the run's weights inside, as it would be deployed. */
  async #bound(outputs: Record<string, Value>): Promise<Program> {
    return compile(this.#runtime, foldConvs(await bindInputs(this.#runtime, { outputs }, this.#run.weights)));
  }
}

interface Votes {
  run(member: number, images: HostTensor): Promise<Tensors>;
  close(): Promise<void>;
}

/** Milliseconds of one method. */
export interface Timing {
  readonly name: string;
  /** Until it could run. */
  readonly loadMs: number;
  readonly bestMs: number;
  readonly medianMs: number;
  /** The middle half of all times lies between these. */
  readonly quartilesMs: readonly [number, number];
}

export interface TimingOptions {
  readonly warmUps: number;
  readonly rounds: number;
  readonly onProgress?: (what: string, done: number, total: number) => void;
}

/**
 * Time the methods of Table 12 on one image. They take turns, so that whatever else the machine does slows all of them alike;
 * the best time of each is the least disturbed.
 */
export async function timeMethods(
  runtime: Runtime,
  run: TrainedRun,
  extent: readonly [height: number, width: number],
  { warmUps, rounds, onProgress }: TimingOptions,
): Promise<Timing[]> {
  const methods = new TimedMethods(runtime, run, extent);
  const ready: { readonly method: TimedMethod; readonly loadMs: number; readonly times: number[] }[] = [];
  for (const make of [
    () => methods.vanilla(),
    () => methods.dropoutPlain(),
    () => methods.dropoutCached(),
    () => methods.ensemble(5, "low"),
    () => methods.ensemble(5, "high"),
    () => methods.ensemble(10, "low"),
    () => methods.ensemble(10, "high"),
    () => methods.ours(),
  ]) {
    const started = performance.now();
    const method = await make();
    if (method !== null) ready.push({ method, loadMs: performance.now() - started, times: [] });
    onProgress?.("loading", ready.length, 8);
  }
  const draw = random("picture");
  const images = float32([1, 3, ...extent], Float32Array.from({ length: 3 * extent[0] * extent[1] }, draw.normal));
  for (let round = -warmUps; round < rounds; round++) {
    for (const { method, times } of ready) {
      const started = performance.now();
      await method.run(images);
      if (round >= 0) times.push(performance.now() - started);
    }
    onProgress?.("timing", round + warmUps + 1, rounds + warmUps);
  }
  for (const { method } of ready) await method.close();
  return ready.map(({ method: { name }, loadMs, times }) => ({ name, loadMs, ...spreadOf(times) }));
}

function spreadOf(times: readonly number[]): Pick<Timing, "bestMs" | "medianMs" | "quartilesMs"> {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.round(share * (sorted.length - 1))]!;
  return { bestMs: at(0), medianMs: at(0.5), quartilesMs: [at(0.25), at(0.75)] };
}
