import { UNKNOWN_LABEL, VOID_LABEL } from "../data/labels/labelSpace.js";
import { ConfidenceHistogram } from "../metrics/calibration.js";
import { ConfusionMatrix } from "../metrics/confusion.js";
import { type Resolution, resolutions, SketchBuilder, type SketchSet, SketchSum, tidy } from "../metrics/sketchSet.js";
import { judge, policies } from "../metrics/verdict.js";
import type { PolicyName } from "./results/resultOf.js";

/** One image as a method left it. Labels are places in the class list, 254 unknown, 255 void; any other prediction is wrong. */
export interface Judged {
  readonly id: string;
  readonly labels: Uint8Array;
  readonly predicted: Uint8Array;
  readonly uncertainty: Float32Array;
  /** Probability of the predicted class, where the method has one. */
  readonly confidence?: Float32Array;
}

/** What `PixelCounter.finish` hands to `resultOf` and `writeResult`: spread it into an `Evaluation`. */
export interface Counted {
  readonly set: SketchSet;
  readonly confusion: ConfusionMatrix;
  readonly confidence?: ConfidenceHistogram;
  readonly meaningless?: string;
}

/** What was counted on some of the images, as it travels between threads. Confidence stays behind. */
export interface CounterPart {
  readonly set: SketchSet;
  /** Counts of a `ConfusionMatrix`. */
  readonly confusion: Float64Array;
  readonly only: OnlyLabel;
}

/** The one value that all labels have so far; undefined before the first. */
type OnlyLabel = number | "several" | undefined;

/** Counts images one by one, in memory that does not grow with their pixels; whatever makes predictions ends here. */
export class PixelCounter {
  readonly #meaning: { readonly classes: number; readonly unknown: number[]; readonly void: number[] };
  readonly #policy: PolicyName;
  readonly #sketches: SketchBuilder;
  readonly #confusion: ConfusionMatrix;
  readonly #confidence = new ConfidenceHistogram();
  #withConfidence = true;
  #only: OnlyLabel;

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
      ...constantLabels(this.#only),
    };
  }

  /** What was counted since the last part. */
  takePart(): CounterPart {
    const { counts } = this.#confusion;
    const part = { set: this.#sketches.finish(), confusion: counts.slice(), only: this.#only };
    counts.fill(0);
    this.#only = undefined;
    return part;
  }

  /** Benchmarks that hide their labels often hand out maps of one value. */
  #noteLabels(labels: Uint8Array): void {
    if (this.#only === "several" || labels.length === 0) return;
    this.#only ??= labels[0]!;
    const only = this.#only;
    if (labels.some((label) => label !== only)) this.#only = "several";
  }
}

/** Adds up what was counted on parts of a data set, in a fixed order. */
export class CounterSum {
  readonly #resolution: Resolution;
  readonly #sketches: SketchSum;
  readonly #confusion: ConfusionMatrix;
  #only: OnlyLabel;

  constructor({
    classes,
    resolution = resolutions.fine,
  }: {
    readonly classes: number;
    readonly resolution?: Resolution;
  }) {
    this.#resolution = resolution;
    this.#sketches = new SketchSum(resolution);
    this.#confusion = new ConfusionMatrix(classes);
  }

  add({ set, confusion, only }: CounterPart): void {
    this.#sketches.add(set);
    for (let i = 0; i < confusion.length; i++) this.#confusion.counts[i]! += confusion[i]!;
    this.#only ??= only;
    if (only !== undefined && only !== this.#only) this.#only = "several";
  }

  finish(): Counted {
    const set = tidy(this.#sketches.finish(), this.#resolution);
    return { set, confusion: this.#confusion, ...constantLabels(this.#only) };
  }
}

function constantLabels(only: OnlyLabel): { meaningless?: string } {
  if (typeof only !== "number") return {};
  const named = only === VOID_LABEL ? "void" : only === UNKNOWN_LABEL ? "unknown" : `class ${only}`;
  return { meaningless: `every label is ${named}: one class only, or hidden ground truth` };
}
