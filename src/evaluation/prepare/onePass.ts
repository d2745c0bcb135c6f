import type { Tensors } from "../../engine/tensor/hostTensor.js";
import { prototypeMethod } from "../../methods/gamma-ssl/prototypeMethod.js";
import { type Method, type OnePassMethod, type PrototypeMethod, settingsOf } from "../../methods/method.js";
import { invariant } from "../../platform/errors.js";
import { finalNetwork, type InferenceNetwork, sourceNetwork } from "../../runs/inferenceNetwork.js";
import { baselineNetwork, baselineRuns } from "../baselineRuns.js";
import { onePassPredictor, type Scorer } from "../predictors/onePass.js";
import type { PrepareContext } from "./context.js";
import { fitMethods } from "./fitMethods.js";
import type { Prepared, PreparedMethod, Wanted } from "./prepared.js";

/** Methods of one pass through the same network: that pass is all they need. */
export interface PreparedOnePass extends Prepared {
  readonly network: InferenceNetwork;
  readonly methods: readonly (PreparedMethod & { readonly fitted: Tensors })[];
  scorer(wanted: Wanted): Scorer;
}

/** Prepare methods that share a network. */
export async function prepareOnePass(
  context: PrepareContext,
  methods: readonly (OnePassMethod | PrototypeMethod)[],
): Promise<PreparedOnePass> {
  const network = await networkOfMethod(context, methods[0]!);
  const bound = methods.map((method) => (method.kind === "one-pass" ? method : byPrototypes(method, network)));
  const fittedOf = await fitMethods(context, network, bound);
  const options = context.baselines;
  const prepared = bound.map((method) => {
    const { tensors: fitted, remarks } = fittedOf(method);
    const settings = settingsOf(method, { options, fitted, basis: {} });
    const scorers = settings.map(
      (each): Scorer => ({
        method: method.name,
        settings: each,
        score: (outputs) => method.score(outputs, fitted, each),
      }),
    );
    return { settings, remarks, fitted, scorers };
  });
  const scorer = ({ name, setting }: Wanted): Scorer =>
    prepared[methods.findIndex((method) => method.name === name)]!.scorers[setting]!;
  return {
    network,
    scorer,
    methods: methods.map((method, i) => ({ method, ...prepared[i]! })),
    predictor: (wanted) => onePassPredictor(context.runtime, network, wanted.map(scorer)),
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
