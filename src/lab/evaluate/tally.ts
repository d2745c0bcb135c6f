import { UNKNOWN_LABEL, VOID_LABEL } from "../../data/labels/labelSpace.js";
import { ConfidenceHistogram } from "../metrics/calibration.js";
import { ConfusionMatrix } from "../metrics/confusion.js";
import { type Resolution, resolutions, SketchBuilder, type SketchSet } from "../metrics/sketchSet.js";
import { judge, policies } from "../metrics/verdict.js";
import type { PolicyName } from "./resultOf.js";

/** One image as a method left it. Labels are places in the class list, 254 unknown, 255 void; any other prediction is wrong. */
export interface Judged {
  readonly id: string;
  readonly labels: Uint8Array;
  readonly predicted: Uint8Array;
  readonly uncertainty: Float32Array;
  /** Probability of the predicted class, where the method has one. */
  readonly confidence?: Float32Array;
}

/** What `Tally.finish` hands to `resultOf` and `writeResult`: spread it into an `Evaluation`. */
export interface Counted {
  readonly set: SketchSet;
  readonly confusion: ConfusionMatrix;
  readonly confidence?: ConfidenceHistogram;
  readonly meaningless?: string;
}

/** Counts images one by one, in memory that does not grow with their pixels; whatever makes predictions ends here. */
export class Tally {
  readonly #meaning: { readonly classes: number; readonly unknown: number[]; readonly void: number[] };
  readonly #policy: PolicyName;
  readonly #sketches: SketchBuilder;
  readonly #confusion: ConfusionMatrix;
  readonly #confidence = new ConfidenceHistogram();
  #withConfidence = true;
  #only: number | "several" | undefined;

  constructor({
    classes,
    policy,
    resolution = resolutions.fine,
  }: {
    readonly classes: number;
    readonly policy: PolicyName;
    readonly resolution?: Resolution;
  }) {
    this.#meaning = { classes, unknown: [UNKNOWN_LABEL], void: [VOID_LABEL] };
    this.#policy = policy;
    this.#sketches = new SketchBuilder(resolution);
    this.#confusion = new ConfusionMatrix(classes);
  }

  add({ id, labels, predicted, uncertainty, confidence }: Judged): void {
    const verdict = judge(id, labels, predicted, this.#meaning, policies[this.#policy]);
    this.#sketches.add(id, uncertainty, verdict);
    this.#confusion.add(id, labels, predicted);
    if (confidence === undefined) this.#withConfidence = false;
    else this.#confidence.add(id, confidence, verdict);
    this.#noteLabels(labels);
  }

  finish(): Counted {
    return {
      set: this.#sketches.finish(),
      confusion: this.#confusion,
      ...(this.#withConfidence ? { confidence: this.#confidence } : {}),
      ...(typeof this.#only === "number" ? { meaningless: constantLabels(this.#only) } : {}),
    };
  }

  /** Benchmarks that hide their labels often hand out maps of one value. */
  #noteLabels(labels: Uint8Array): void {
    if (this.#only === "several" || labels.length === 0) return;
    this.#only ??= labels[0]!;
    const only = this.#only;
    if (labels.some((label) => label !== only)) this.#only = "several";
  }
}

function constantLabels(label: number): string {
  const named = label === VOID_LABEL ? "void" : label === UNKNOWN_LABEL ? "unknown" : `class ${label}`;
  return `every label is ${named}: one class only, or hidden ground truth`;
}
