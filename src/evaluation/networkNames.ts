import { contentHash } from "../runs/config.js";
import { fingerprintOf } from "../runs/fingerprint.js";
import { finalNetwork, readTensors, sourceNetwork } from "../runs/inferenceNetwork.js";
import type { TrainedRun } from "../runs/openRun.js";
import { runFiles } from "../runs/runFiles.js";
import type { BaselineOptions } from "./baselineOptions.js";
import { baselineRuns, baselineWeights } from "./baselineRuns.js";
import { kinOf, type MethodName } from "./methodNames.js";
import type { ResultFile } from "./results/resultFile.js";

/** Weights as a result names them: files of a run folder, and what is in them. */
export type NetworkName = NonNullable<ResultFile["network"]>;

/** Which weights a method looks through. Files are read once, however many methods share them. */
export class NetworkNames {
  readonly #run: TrainedRun;
  readonly #baselines: BaselineOptions;
  readonly #known = new Map<string, Promise<NetworkName>>();

  constructor(run: TrainedRun, baselines: BaselineOptions) {
    this.#run = run;
    this.#baselines = baselines;
  }

  async of(method: MethodName): Promise<NetworkName> {
    const kin = kinOf[method];
    if (kin === "own") return this.#once("own", async () => named(finalNetwork(this.#run)));
    if (kin === "source" || kin === "adversarial") {
      return this.#once("source", async () => named(await sourceNetwork(this.#run)));
    }
    const runs = baselineRuns(this.#run.config, [method], this.#baselines);
    // A student is told by its own weights; what its teacher knew is in them.
    const counted = kin === "distilled" || kin === "distilled-head" ? runs.slice(-1) : runs;
    const found: NetworkName[] = [];
    for (const { name } of counted) found.push(await this.#once(name, () => this.#baseline(name)));
    return together(found);
  }

  async #baseline(name: string): Promise<NetworkName> {
    const fingerprint = fingerprintOf(await readTensors(baselineWeights(this.#run, name)));
    return { file: `baselines/${name}/${runFiles.weights}`, fingerprint };
  }

  #once(key: string, find: () => Promise<NetworkName>): Promise<NetworkName> {
    const known = this.#known.get(key) ?? find();
    this.#known.set(key, known);
    return known;
  }
}

const named = ({ file, fingerprint }: NetworkName): NetworkName => ({ file, fingerprint });

function together(networks: readonly NetworkName[]): NetworkName {
  if (networks.length === 1) return networks[0]!;
  return {
    file: networks.map(({ file }) => file).join(", "),
    fingerprint: contentHash(networks.map(({ fingerprint }) => fingerprint)),
  };
}
