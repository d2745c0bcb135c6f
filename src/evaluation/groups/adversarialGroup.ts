import {
  type Adversary,
  MAHALANOBIS_STEPS,
  mahalanobisAdversary,
  ODIN_STEPS,
  odin,
  SMIYC,
} from "../../methods/baselines/adversarial.js";
import { mahalanobis } from "../../methods/baselines/mahalanobis.js";
import { maxSoftmaxCandidates, TEMPERATURES } from "../../methods/baselines/maxSoftmax.js";
import type { Settings } from "../../methods/scorer.js";
import { type InferenceNetwork, sourceNetwork } from "../../runs/inferenceNetwork.js";
import type { MethodName } from "../methodNames.js";
import { adversarialPredictor } from "../predictors/adversarial.js";
import type { GroupContext } from "./context.js";
import type { Contender, Group } from "./group.js";
import { learned } from "./learned.js";
import { onePassGroup } from "./onePassGroup.js";

/** An adversary with a step size. */
interface Try {
  readonly adversary: Adversary;
  readonly epsilon: number;
  readonly settings: Settings;
}

/** ODIN and the adversarial Mahalanobis distance, on the network from before adaptation. */
export async function adversarialGroup(context: GroupContext, methods: readonly MethodName[]): Promise<Group> {
  const network = await sourceNetwork(context.run);
  const tries = new Map<MethodName, readonly Try[]>();
  const remarks = new Map<MethodName, readonly string[]>();
  if (methods.includes("odin")) tries.set("odin", await odinTries(context, network));
  if (methods.includes("mahalanobis-a")) {
    const fitted = (await learned(context, network, context.source, [mahalanobis])).get(mahalanobis.name)!;
    const adversary = mahalanobisAdversary(fitted.tensors);
    // The usual step first: it counts where none can be tried.
    const steps = MAHALANOBIS_STEPS.toSorted((a, b) => Number(a === 0) - Number(b === 0));
    tries.set(
      "mahalanobis-a",
      steps.map((epsilon) => ({ adversary, epsilon, settings: { epsilon } })),
    );
    remarks.set("mahalanobis-a", fitted.remarks);
  }
  const contenders: Contender[] = [...tries].map(([method, each]) => ({
    method,
    settings: each.map(({ settings }) => settings),
    remarks: remarks.get(method) ?? [],
  }));
  return {
    contenders,
    open: (wanted) =>
      adversarialPredictor(
        context.runtime,
        network,
        wanted.map(({ method, setting }) => ({ method, ...tries.get(method)![setting]! })),
      ),
  };
}

/**
 * ODIN has two settings. The temperature is chosen first, without a step, then the step at that temperature: 31 tries instead of
 * 210. The setting of SegmentMeIfYouCan's baseline is always among them, and is the one to take where nothing can be tried.
 */
async function odinTries(context: GroupContext, network: InferenceNetwork): Promise<Try[]> {
  const softmax = onePassGroup(context.runtime, network, [
    { name: "max-softmax", candidates: maxSoftmaxCandidates, remarks: [] },
  ]);
  const place = (await context.chooser.choose(softmax)).get("max-softmax")!;
  const temperature = TEMPERATURES[place]!;
  const [known, chosen] = [SMIYC.temperature, temperature].map((one) => odin({ temperature: one })) as [
    Adversary,
    Adversary,
  ];
  const steps = ODIN_STEPS.map((epsilon) => ({ adversary: chosen, epsilon, settings: { temperature, epsilon } }));
  return [{ adversary: known, epsilon: SMIYC.epsilon, settings: SMIYC }, ...steps];
}
