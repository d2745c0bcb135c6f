import type { BaselineOptions } from "../methods/parts/baselineOptions.js";
import type { Method } from "../methods/parts/method.js";
import { fingerprintOf, togetherFingerprint } from "../runs/fingerprint.js";
import { finalNetwork, readTensors, sourceNetwork } from "../runs/inferenceNetwork.js";
import type { TrainedRun } from "../runs/openRun.js";
import { runFiles } from "../runs/runFiles.js";
import { type BaselineRun, baselineRuns, baselineWeights } from "./baselineRuns.js";
import type { ResultFile } from "./results/resultFile.js";

/** Weights as a result names them: files of a run folder, and what is in them. */
export type NetworkName = NonNullable<ResultFile["network"]>;

/** The weights that a method uses. Files are read once, however many methods share them. */
export class NetworkNames {
  readonly #run: TrainedRun;
  readonly #baselines: BaselineOptions;
  readonly #known = new Map<string, Promise<NetworkName>>();

  constructor(run: TrainedRun, baselines: BaselineOptions) {
    this.#run = run;
    this.#baselines = baselines;
  }

  async of(method: Method): Promise<NetworkName> {
    const { network } = method;
    if (network === "adapted") return this.#once(network, async () => named(finalNetwork(this.#run)));
    if (network === "source") return this.#once(network, async () => named(await sourceNetwork(this.#run)));
    const runs = baselineRuns(this.#run.config, [method], this.#baselines);
    // A student is identified by its own weights, which depend on its teacher.
    const counted = network.kind === "distilled" ? runs.slice(-1) : runs;
    const found: NetworkName[] = [];
    for (const baseline of counted) found.push(await this.#once(baseline.name, () => this.#baseline(baseline)));
    return together(found);
  }

  async #baseline(baseline: BaselineRun): Promise<NetworkName> {
    const fingerprint = fingerprintOf(await readTensors(baselineWeights(this.#run, baseline)));
    return { file: `baselines/${baseline.name}/${runFiles.weights}`, fingerprint };
  }

  #once(key: string, find: () => Promise<NetworkName>): Promise<NetworkName> {
    const known = this.#known.get(key) ?? find();
    this.#known.set(key, known);
    return known;
  }
}

const named = ({ file, fingerprint }: NetworkName): NetworkName => ({ file, fingerprint });

const together = (networks: readonly NetworkName[]): NetworkName => ({
  file: networks.map(({ file }) => file).join(", "),
  fingerprint: togetherFingerprint(networks.map(({ fingerprint }) => fingerprint)),
});
