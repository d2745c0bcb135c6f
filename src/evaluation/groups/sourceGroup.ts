import { energy } from "../../methods/baselines/energy.js";
import { entropy } from "../../methods/baselines/entropy.js";
import { gaussianMixture } from "../../methods/baselines/gaussianMixture.js";
import { klMatching } from "../../methods/baselines/klMatching.js";
import { mahalanobis } from "../../methods/baselines/mahalanobis.js";
import { maxLogit } from "../../methods/baselines/maxLogit.js";
import { maxSoftmaxCandidates } from "../../methods/baselines/maxSoftmax.js";
import { nearestNeighbours } from "../../methods/baselines/nearestNeighbours.js";
import { react } from "../../methods/baselines/react.js";
import { temperatureScaling } from "../../methods/baselines/temperatureScaling.js";
import { vim } from "../../methods/baselines/vim.js";
import type { FittedMethod } from "../../methods/fittedMethod.js";
import { prototypeMethod } from "../../methods/gamma-ssl/prototypeMethod.js";
import type { Candidate, Scorer } from "../../methods/scorer.js";
import { UserError } from "../../platform/errors.js";
import { finalNetwork, type InferenceNetwork, sourceNetwork } from "../../runs/inferenceNetwork.js";
import type { MethodName } from "../methodNames.js";
import type { GroupContext } from "./context.js";
import { learned } from "./learned.js";
import { type OnePassGroup, type OnePassMethod, onePassGroup } from "./onePassGroup.js";

const alone = (scorer: Scorer): Candidate[] => [{ settings: {}, scorer }];

/** Methods that need nothing but the scores of the head. */
const fromScores: Partial<Record<MethodName, readonly Candidate[]>> = {
  "max-softmax": maxSoftmaxCandidates,
  entropy: alone(entropy()),
  "max-logit": alone(maxLogit),
  energy: alone(energy),
};

/** The methods that share the network from before adaptation: one pass for all of them. */
export async function sourceGroup(context: GroupContext, names: readonly MethodName[]): Promise<OnePassGroup> {
  const { run, source, validation, baselines, runtime } = context;
  const network = await sourceNetwork(run);
  const seed = run.config.seed;
  const fromSource: Partial<Record<MethodName, FittedMethod>> = {
    mahalanobis,
    vim,
    "kl-matching": klMatching,
    react: react({ seed }),
    knn: nearestNeighbours({ seed }),
    gmm: gaussianMixture({ name: "gmm", prior: baselines.prior }),
    ...prototypes("no-ssl", network),
  };
  const asked = names.flatMap((name) => fromSource[name] ?? []);
  const found = await learned(context, network, source, asked);
  const methods: OnePassMethod[] = names.flatMap((name) => {
    const candidates = fromScores[name];
    if (candidates !== undefined) return [{ name, candidates, remarks: [] }];
    const fitted = found.get(name);
    return fitted === undefined
      ? []
      : [{ name, candidates: fromSource[name]!.candidates(fitted.tensors), remarks: fitted.remarks }];
  });
  if (names.includes("temperature-scaling")) {
    if (validation === null) {
      throw new UserError("temperature-scaling needs held-out labelled images of the source", {
        hint: "name some: --source-val SPEC",
      });
    }
    const fitted = (await learned(context, network, validation, [temperatureScaling])).get(temperatureScaling.name)!;
    const candidates = temperatureScaling.candidates(fitted.tensors);
    methods.push({ name: "temperature-scaling", candidates, remarks: fitted.remarks });
  }
  return onePassGroup(runtime, network, methods);
}

/** The run's own method, on the network it ended with. */
export async function ownGroup(context: GroupContext): Promise<OnePassGroup> {
  const network = finalNetwork(context.run);
  const method = prototypes("gamma-ssl", network)["gamma-ssl"]!;
  const { tensors, remarks } = (await learned(context, network, context.source, [method])).get(method.name)!;
  return onePassGroup(context.runtime, network, [
    { name: "gamma-ssl", candidates: method.candidates(tensors), remarks },
  ]);
}

function prototypes(
  name: MethodName,
  { gammaNetwork, config }: InferenceNetwork,
): Partial<Record<MethodName, FittedMethod>> {
  if (gammaNetwork === null || config.method !== "gamma-ssl") return {};
  return { [name]: prototypeMethod(name, gammaNetwork, config.options) };
}
