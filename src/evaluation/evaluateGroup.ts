import type { Dataset } from "../data/datasets/dataset.js";
import { evenlySpread } from "../data/datasets/evenlySpread.js";
import { gammaOfRun } from "../runs/gammaOfRun.js";
import type { TrainedRun } from "../runs/openRun.js";
import type { Chooser } from "./chooser.js";
import type { Contender, Group } from "./groups/group.js";
import { measure, show } from "./measure.js";
import type { NetworkNames } from "./networkNames.js";
import { environment } from "./results/environment.js";
import type { ResultFile } from "./results/resultFile.js";
import type { Evaluation, PolicyName } from "./results/resultOf.js";
import { ResultWriter } from "./results/writeResult.js";

export interface GroupEvaluation {
  readonly run: TrainedRun;
  readonly group: Group;
  readonly names: NetworkNames;
  readonly chooser: Chooser;
  readonly dataset: Dataset;
  readonly policy: PolicyName;
  /** Pictures to keep for the report. */
  readonly examples: number;
  readonly command: string;
  readonly onProgress?: ((what: string, done: number, total: number) => void) | undefined;
}

/** Choose settings, measure every method of a group on a data set, and write a result for each. */
export async function evaluateGroup(options: GroupEvaluation): Promise<ResultFile[]> {
  const { run, group, chooser, dataset, policy, onProgress } = options;
  const places = await chooser.choose(group);
  const predictor = group.open(group.contenders.map(({ method }) => ({ method, setting: places.get(method)! })));
  try {
    const height = run.config.view.height;
    const counted = await measure(predictor, policy, {
      dataset,
      height,
      onProgress: (done, total) => onProgress?.("scoring", done, total),
    });
    const writers: ResultWriter[] = [];
    for (const [i, contender] of group.contenders.entries()) {
      const evaluation = { ...counted[i]!, ...(await story(options, contender, places.get(contender.method)!)) };
      writers.push(await ResultWriter.open(run.folder, evaluation));
    }
    // A second look at a few pictures: how uncertainty is to be coded is only known after the last one.
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
  { run, names, chooser, dataset, policy, command }: GroupEvaluation,
  { method, settings, remarks }: Contender,
  place: number,
): Promise<Omit<Evaluation, "set" | "confusion">> {
  const gamma = method === "gamma-ssl" ? await gammaOfRun(run) : null;
  const chosen = settings[place]!;
  const tried = settings.length > 1 && chooser.by !== "fixed";
  return {
    dataset: dataset.spec,
    method,
    classes: dataset.labelling!.classes.classes,
    policy,
    ...(gamma !== null && { gamma: { gamma: gamma.gamma, threshold: 1 - gamma.gamma } }),
    network: await names.of(method),
    ...(Object.keys(chosen).length > 0 && {
      chosen: {
        settings: { ...chosen },
        by: tried ? chooser.by : "fixed",
        among: tried ? settings.length : 1,
        on: tried ? chooser.on : null,
      },
    }),
    remarks,
    command,
    seeds: { training: run.config.seed },
    environment: environment(),
  };
}
