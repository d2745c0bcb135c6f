import { learnedDoubt } from "../../methods/baselines/distillation.js";
import { entropy } from "../../methods/baselines/entropy.js";
import { gaussianMixture } from "../../methods/baselines/gaussianMixture.js";
import { baselineNetwork, baselineRuns } from "../baselineRuns.js";
import type { GroupContext } from "./context.js";
import { learned } from "./learned.js";
import { type OnePassGroup, onePassGroup } from "./onePassGroup.js";

/** MCD-DSL: the student of an MC dropout network, by its entropy or by the head that learned its teacher's (B-4). */
export async function distilledGroup(
  { run, baselines, runtime }: GroupContext,
  name: "mcd-dsl" | "mcd-dsl-head",
): Promise<OnePassGroup> {
  const student = baselineRuns(run.config, [name], baselines).at(-1)!;
  const scorer = name === "mcd-dsl" ? entropy({ name }) : learnedDoubt;
  const { rate, passes, learns } = student.config.teacher!;
  const settings = { rate, draws: passes, learns };
  const network = await baselineNetwork(run, student);
  return onePassGroup(runtime, network, [{ name, candidates: [{ settings, scorer }], remarks: [] }]);
}

/** DUM: a Gaussian mixture on a network whose norms are bounded (B-10). */
export async function spectralGroup(context: GroupContext): Promise<OnePassGroup> {
  const { run, baselines, runtime, source } = context;
  const [spectral] = baselineRuns(run.config, ["dum"], baselines);
  const network = await baselineNetwork(run, spectral!);
  const method = gaussianMixture({ name: "dum", prior: baselines.prior });
  const { tensors, remarks } = (await learned(context, network, source, [method])).get("dum")!;
  return onePassGroup(runtime, network, [{ name: "dum", candidates: method.candidates(tensors), remarks }]);
}
