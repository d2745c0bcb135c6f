import type { Value } from "../../engine/graph/value.js";
import type { Tensors } from "../../engine/tensor/hostTensor.js";
import type { BaselineOptions } from "./baselineOptions.js";
import type { FitContext, Fitting } from "./fitting.js";
import type { NetworkOutputs, Scored } from "./networkOutputs.js";

/** Numbers and names that were chosen for a method, as they stand in its result. */
export type Settings = Readonly<Record<string, number | string>>;

/** The groups of the paper's tables; `further` are baselines that the paper does not have. */
export type Family = "epistemic" | "representation" | "further" | "ours";

/** A network that is trained for a method alone. `evaluation` turns this into trainings. */
export type OwnNetwork =
  /** Trained like the first stage, from different seeds. */
  | { readonly kind: "ensemble"; readonly members: number }
  | { readonly kind: "mc-dropout" }
  /** The student of an MC dropout network: of its mean probabilities, or in a second head of its uncertainty. */
  | { readonly kind: "distilled"; readonly learns: "soft-targets" | "uncertainty" }
  /** With bounded spectral norms. */
  | { readonly kind: "spectral" };

/** What the settings of a method may depend on. */
export interface SettingsContext {
  readonly options: BaselineOptions;
  /** The method's statistics; null before it is fitted, when only the number of settings matters. */
  readonly fitted: Tensors | null;
  /** Settings that were chosen for the method it is based on (`AdversarialMethod`). */
  readonly basis: Settings;
}

/** Everything about a method that is not arithmetic. Lists of methods in terminal, files and tables are made from this. */
interface MethodFacts<S extends Settings> {
  /** As typed and in files: "vim". */
  readonly name: string;
  /** As the paper prints it: "ViM". */
  readonly title: string;
  /** Further spellings, in the results of others. */
  readonly aliases?: readonly string[];
  readonly family: Family;
  /** The network it uses: before adaptation (T-2, B-11), after it, or one of its own. Methods with the same one share its passes. */
  readonly network: "source" | "adapted" | OwnNetwork;
  /** Needs no training and no fitting: evaluated unless other methods are asked for. */
  readonly quick?: true;
  /** A variant of another method: evaluated only when asked for by name. */
  readonly onRequest?: true;
  /** One minus its uncertainty is the probability of the predicted class: it can be held against how often that is right. */
  readonly probability?: true;
  /** Why one pass of one network cannot compute it. Methods without an obstacle can be exported. */
  readonly obstacle?: string;
  /** Settings to choose between on held-out source images (B-12), the default first. None where left out. */
  settings?(context: SettingsContext): readonly S[];
}

/**
 * Uncertainty from one pass through a network. `score` uses ops that are written the same for images of every size, so that the
 * method can be exported.
 */
export interface OnePassMethod<S extends Settings = Settings> extends MethodFacts<S> {
  readonly kind: "one-pass";
  /** Statistics from labelled source images, computed once and saved. */
  fit?(context: FitContext): Fitting;
  /** Fitted on held-out images of the source instead of those the network was trained on. */
  readonly needsHeldOut?: true;
  score(outputs: NetworkOutputs, fitted: Tensors, settings: S): Scored;
}

/** Segmentation by prototypes of the source: γ-SSL, and NoSSL. It needs the projection of the run's network, see gamma-ssl. */
export interface PrototypeMethod extends MethodFacts<Settings> {
  readonly kind: "prototypes";
  readonly network: "source" | "adapted";
}

/** Predictive entropy (PE) or mutual information (MI) of several segmentations: by members of an ensemble, or draws of dropout. */
export interface DrawsMethod<S extends Settings = Settings> extends MethodFacts<S> {
  readonly kind: "draws";
  readonly network: Extract<OwnNetwork, { kind: "ensemble" | "mc-dropout" }>;
  readonly measure: "pe" | "mi";
}

/**
 * A method of one pass on an image that was changed a little to lower the network's uncertainty: pixels like those of the source
 * gain more certainty by it than others. The class stays that of the unchanged image.
 */
export interface AdversarialMethod<S extends AdversarialSettings = AdversarialSettings> extends MethodFacts<S> {
  readonly kind: "adversarial";
  /** Scores the changed image. Its statistics are shared, its settings are chosen first. */
  readonly basis: OnePassMethod;
  /** The scalar that a step lowers. */
  objective(outputs: NetworkOutputs, fitted: Tensors, settings: S): Value;
}

/** ε is the size of the step. Settings that differ in ε alone share its direction. */
export type AdversarialSettings = Settings & { readonly epsilon: number };

/** A way to find out where a network is wrong: γ-SSL or a baseline. */
export type Method = OnePassMethod | PrototypeMethod | DrawsMethod | AdversarialMethod;

/** The settings of a method; where there is nothing to choose, one without entries. */
export const settingsOf = (method: Method, context: SettingsContext): readonly Settings[] =>
  method.settings?.(context) ?? [{}];

/** Whether a method has settings to choose between. */
export const choosesSettings = (method: Method, options: BaselineOptions): boolean =>
  settingsOf(method, { options, fitted: null, basis: {} }).length > 1;
