import type { Tensors } from "../../engine/tensor/hostTensor.js";
import type { AdversarialMethod, AdversarialSettings } from "../../methods/parts/method.js";
import { chooseSettings } from "../chooseSettings.js";
import { type AdversarialEntry, type Adversary, adversarialPredictor } from "../predictors/adversarial.js";
import type { PrepareContext } from "./context.js";
import { prepareOnePass } from "./onePass.js";
import type { Prepared } from "./prepared.js";

/** Prepare methods on changed images that share a network: first the methods they are based on, with settings chosen. */
export async function prepareAdversarial(
  context: PrepareContext,
  methods: readonly AdversarialMethod[],
): Promise<Prepared<AdversarialEntry>> {
  const bases = await prepareOnePass(
    context,
    methods.map(({ basis }) => basis),
  );
  const chosen = await chooseSettings(bases, context.choosing);
  return {
    methods: methods.map((method, i) => {
      const { fitted, remarks, entries } = bases.methods[i]!;
      const basis = entries[chosen[i]!]!.settings;
      const adversaryOf = sharedAdversaries(method, fitted);
      const settings = method.settings?.({ options: context.baselines, fitted, basis }) ?? [];
      return {
        method,
        entries: settings.map((each) => ({
          method: method.name,
          settings: each,
          epsilon: each.epsilon,
          adversary: adversaryOf(each),
        })),
        remarks,
      };
    }),
    predictor: (entries) => adversarialPredictor(context.runtime, bases.network, entries),
  };
}

/** One adversary for all settings that differ in ε alone. */
function sharedAdversaries(method: AdversarialMethod, fitted: Tensors): (settings: AdversarialSettings) => Adversary {
  const known = new Map<string, Adversary>();
  return (settings) => {
    const { epsilon: _, ...rest } = settings;
    const key = JSON.stringify(rest);
    const adversary = known.get(key) ?? {
      objective: (outputs) => method.objective(outputs, fitted, settings),
      score: (outputs) => method.basis.score(outputs, fitted, settings),
    };
    known.set(key, adversary);
    return adversary;
  };
}
