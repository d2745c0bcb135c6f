import type { Tensors } from "../../engine/tensor/hostTensor.js";
import { prototypeMethod } from "../../methods/gamma-ssl/prototypeMethod.js";
import { type Method, type OnePassMethod, type PrototypeMethod, settingsOf } from "../../methods/parts/method.js";
import { invariant } from "../../platform/errors.js";
import { finalNetwork, type InferenceNetwork, sourceNetwork } from "../../runs/inferenceNetwork.js";
import { baselineNetwork, baselineRuns } from "../baselineRuns.js";
import { onePassPredictor, type Scorer } from "../predictors/onePass.js";
import type { PrepareContext } from "./context.js";
import { fitMethods } from "./fitMethods.js";
import type { Prepared, PreparedMethod } from "./prepared.js";

/** Methods of one pass through the same network: that pass is all they need. */
export interface PreparedOnePass extends Prepared<Scorer> {
  readonly network: InferenceNetwork;
  readonly methods: readonly (PreparedMethod<Scorer> & { readonly fitted: Tensors })[];
}

/** Prepare methods that share a network. */
export async function prepareOnePass(
  context: PrepareContext,
  methods: readonly (OnePassMethod | PrototypeMethod)[],
): Promise<PreparedOnePass> {
  const network = await networkOfMethod(context, methods[0]!);
  const onePass = methods.map((method) => (method.kind === "one-pass" ? method : byPrototypes(method, network)));
  const fittedOf = await fitMethods(context, network, onePass);
  return {
    network,
    methods: onePass.map((method, i) => {
      const { tensors: fitted, remarks } = fittedOf(method);
      const entries = settingsOf(method, { options: context.baselines, fitted, basis: {} }).map(
        (settings): Scorer => ({
          method: method.name,
          settings,
          ...(method.probability && { probability: true }),
          score: (outputs) => method.score(outputs, fitted, settings),
        }),
      );
      return { method: methods[i]!, entries, remarks, fitted };
    }),
    predictor: (scorers) => onePassPredictor(context.runtime, network, scorers),
  };
}

/** The network of a method that has one. One of its own must have been trained. */
async function networkOfMethod({ run, baselines }: PrepareContext, method: Method): Promise<InferenceNetwork> {
  if (method.network === "adapted") return finalNetwork(run);
  if (method.network === "source") return sourceNetwork(run);
  return baselineNetwork(run, baselineRuns(run.config, [method], baselines).at(-1)!);
}

function byPrototypes(method: PrototypeMethod, { gammaNetwork, config, file }: InferenceNetwork): OnePassMethod {
  invariant(gammaNetwork !== null && config.method === "gamma-ssl", `${file} has no projection`);
  return prototypeMethod(method, gammaNetwork, config.options);
}
