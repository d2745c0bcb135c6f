import type { Dataset } from "../data/datasets/dataset.js";
import { evenlySpread } from "../data/datasets/evenlySpread.js";
import { cityscapes19 } from "../data/labels/cityscapes.js";
import { UNKNOWN_LABEL, VOID_LABEL } from "../data/labels/labelSpace.js";
import type { Method, Settings } from "../methods/parts/method.js";
import { policies } from "../metrics/verdict.js";
import { environment } from "../platform/environment.js";
import { gammaOfRun } from "../runs/gammaOfRun.js";
import type { TrainedRun } from "../runs/openRun.js";
import { placeRemarks } from "../training/roles.js";
import { type Choosing, choiceMade, chooseSettings } from "./chooseSettings.js";
import { measure, show } from "./measure.js";
import type { Prepared, PreparedMethod } from "./prepare/prepared.js";
import type { ResultFile } from "./results/resultFile.js";
import type { Evaluation, PolicyName } from "./results/resultOf.js";
import { ResultWriter } from "./results/writeResult.js";

export interface EvaluatePrepared {
  readonly run: TrainedRun;
  readonly prepared: Prepared;
  readonly choosing: Choosing;
  /** Hashes of the data that the numbers of a method depend on, and of everything that they depend on. */
  readonly keysOf: (method: Method) => Promise<{ readonly data: string; readonly key: string }>;
  readonly dataset: Dataset;
  readonly policy: PolicyName;
  /** Images to keep for the report. */
  readonly examples: number;
  readonly command: string;
  readonly onProgress?: ((what: string, done: number, total: number) => void) | undefined;
}

/** Choose settings, measure every prepared method on a data set, and write a result for each. */
export async function evaluatePrepared(options: EvaluatePrepared): Promise<ResultFile[]> {
  const { run, prepared, choosing, dataset, policy, onProgress } = options;
  const chosen = await chooseSettings(prepared, choosing);
  const entries = prepared.methods.map(({ entries }, i) => entries[chosen[i]!]!);
  const predictor = prepared.predictor(entries);
  try {
    const height = run.config.view.height;
    const counted = await measure(predictor, policy, {
      dataset,
      height,
      onProgress: (done, total) => onProgress?.("scoring", done, total),
    });
    const writers: ResultWriter[] = [];
    for (const [i, method] of prepared.methods.entries()) {
      const evaluation = { ...counted[i]!, ...(await story(options, method, entries[i]!.settings)) };
      writers.push(await ResultWriter.open(run.folder, evaluation));
    }
    // A second look at a few images: how uncertainty is to be coded is only known after the last one.
    const items = evenlySpread(dataset.items, options.examples);
    await show(predictor, { dataset, items, height }, async ({ id }, { rgb, labels, width, height }, said) => {
      for (const [i, writer] of writers.entries())
        await writer.add({ id, rgb, labels: labels!, width, height, ...said[i]! });
    });
    return await Promise.all(writers.map(async (writer) => (await writer.finish()).result));
  } finally {
    await predictor.close();
  }
}

/** Everything about a result that is not counted. */
async function story(
  { run, choosing, keysOf, dataset, policy, command }: EvaluatePrepared,
  prepared: PreparedMethod,
  settings: Settings,
): Promise<Omit<Evaluation, "set" | "confusion">> {
  const { method, remarks } = prepared;
  // γ belongs to the weights that training ended with, and to similarities to prototypes.
  const isOurs = method.kind === "prototypes" && method.network === "adapted";
  const gamma = isOurs ? await gammaOfRun(run) : null;
  const chosen =
    Object.keys(settings).length > 0 ? { settings: { ...settings }, ...choiceMade(prepared, choosing) } : null;
  return {
    dataset: dataset.spec,
    method: method.name,
    classes: dataset.labelling!.classes.classes,
    policy,
    ...(gamma !== null && { gamma: { gamma: gamma.gamma, threshold: 1 - gamma.gamma } }),
    network: await choosing.networks.of(method),
    ...(await keysOf(method)),
    ...(chosen !== null && { chosen }),
    remarks: [
      ...placeRemarks(run.config, dataset.spec),
      ...labelRemarks(dataset, policy),
      ...remarks,
      ...(method.probability && chosen !== null && chosen.among > 1 ? [PROBABILITY] : []),
    ],
    command,
    intervals: { seed: 0 },
    seeds: { training: run.config.seed, bootstrap: 0 },
    environment: environment(),
  };
}

/** A temperature that orders pixels well is not one that makes probabilities of them. */
const PROBABILITY =
  "ECE and Brier score are at settings that were chosen by AUROC; temperature-scaling is fitted to be a probability";

/** Labels that cannot say what the policy counts as wrong. */
function labelRemarks({ labelling }: Dataset, policy: PolicyName): string[] {
  const { classes, rule } = labelling!;
  const meanings = Object.values(rule.meaning);
  const tells = meanings.includes(UNKNOWN_LABEL) || !meanings.includes(VOID_LABEL);
  if (classes.name !== cityscapes19.name || tells || policies[policy].unknown === policies[policy].void) return [];
  return [
    "these labels have no value for objects without a class: they are void here, and not scored, where the paper counts them as wrong",
  ];
}
