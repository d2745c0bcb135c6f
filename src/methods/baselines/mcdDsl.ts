import { squeeze } from "../../engine/ops/shaping.js";
import { invariant } from "../../platform/errors.js";
import type { OnePassMethod, OwnNetwork, SettingsContext } from "../parts/method.js";
import { entropy } from "./entropy.js";

type Learns = Extract<OwnNetwork, { kind: "distilled" }>["learns"];

/** A student has the first of the teacher's rates and numbers of draws. */
const settingsOf =
  (learns: Learns) =>
  ({ options: { rates, passes } }: SettingsContext) => [{ rate: rates[0]!, draws: passes[0]!, learns }];

/** MCD-DSL: the student of an MC dropout network, by its entropy (B-4). */
export const mcdDsl: OnePassMethod = {
  name: "mcd-dsl",
  title: "MCD-DSL",
  family: "epistemic",
  network: { kind: "distilled", learns: "soft-targets" },
  kind: "one-pass",
  settings: settingsOf("soft-targets"),
  score: entropy.score,
};

/** MCD-DSL by a second head, which learned the teacher's uncertainty. */
export const mcdDslHead: OnePassMethod = {
  name: "mcd-dsl-head",
  title: "MCD-DSL head",
  family: "further",
  network: { kind: "distilled", learns: "uncertainty" },
  onRequest: true,
  kind: "one-pass",
  settings: settingsOf("uncertainty"),
  score({ predictedUncertainty, predicted, enlarge }) {
    invariant(predictedUncertainty !== undefined, "the network has no head for uncertainty");
    return { predicted, uncertainty: squeeze(enlarge(predictedUncertainty), 1) };
  },
};
