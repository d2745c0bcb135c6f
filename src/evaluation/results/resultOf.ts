import type { BootstrapOptions } from "../../metrics/bootstrap.js";
import type { ConfidenceHistogram } from "../../metrics/calibration.js";
import type { ConfusionMatrix } from "../../metrics/confusion.js";
import { thresholdLevels } from "../../metrics/levels.js";
import type { SketchSet } from "../../metrics/sketchSet.js";
import { summarise } from "../../metrics/summarise.js";
import { policies } from "../../metrics/verdict.js";
import type { ResultFile } from "./resultFile.js";

export type PolicyName = keyof typeof policies;

/** A class as the report shows it. */
export interface NamedClass {
  readonly name: string;
  readonly colour: readonly [number, number, number];
}

/** Everything known after the last image: what was counted, and how it came about. */
export interface Evaluation {
  readonly dataset: string;
  readonly method: string;
  readonly set: SketchSet;
  /** Null where classes were not counted; then there is no IoU. */
  readonly confusion: ConfusionMatrix | null;
  readonly classes: readonly NamedClass[];
  readonly policy: PolicyName;
  /** γ as the method knows it, and the same as a threshold on uncertainty. */
  readonly gamma?: { readonly gamma: number; readonly threshold: number };
  readonly confidence?: ConfidenceHistogram;
  /** Bootstrap over images; left out, there are no intervals. */
  readonly intervals?: BootstrapOptions;
  /** Why no number means anything, when it is so: hidden labels, for example. Every measure is then null. */
  readonly meaningless?: string;
  /** How the method came about, where it is more than a file of predictions. */
  readonly network?: NonNullable<ResultFile["network"]>;
  readonly data?: string;
  readonly key?: string;
  readonly chosen?: NonNullable<ResultFile["chosen"]>;
  readonly remarks?: readonly string[];
  /** The command that does it again, the seeds it used, and where it ran (`environment()`). */
  readonly command: string;
  readonly seeds: Readonly<Record<string, number>>;
  readonly environment: Readonly<Record<string, string>>;
}

/** Measures that are null when the labels say nothing. */
const measures = [
  "accuracy",
  "auroc",
  "aupr",
  "auprTrapezoid",
  "auprOfficial500",
  "auprError",
  "fpr95",
  "aurc",
  "augrc",
  "ece",
  "brier",
  "maxAmd",
  "maxF05",
  "atGamma",
  "segmentation",
  "confusion",
  "intervals",
] as const satisfies readonly (keyof ResultFile)[];

/** The result file of an evaluation, apart from its example images. Pure: the same counts give the same bytes. */
export function resultOf(evaluation: Evaluation): ResultFile {
  const { dataset, method, set, confusion, classes, policy, gamma, confidence, intervals } = evaluation;
  const summary = summarise(set, {
    dataset,
    method,
    ...(gamma === undefined ? {} : { gamma }),
    ...(intervals === undefined ? {} : { intervals }),
  });
  const reasons: Record<string, string> = { ...summary.reasons };
  const [ece, brier] = [confidence?.ece() ?? null, confidence?.brier() ?? null];
  if (ece === null) {
    reasons.ece = confidence === undefined ? "the method gives no probability" : "no scored pixel";
    reasons.brier = reasons.ece;
  }
  if (gamma === undefined) reasons.atGamma = "the method has no threshold of its own";
  if (confusion === null) reasons.segmentation = "classes were not counted";
  const quality = confusion?.quality();
  const exactly = [summary.maxAmd, summary.maxF05, summary.atGamma].flatMap((at) =>
    at === null ? [] : [at.threshold],
  );
  const finite = <T extends { readonly threshold: number } | null>(at: T): T =>
    at === null ? at : { ...at, threshold: finiteNumber(at.threshold) };
  const result: ResultFile = {
    version: 1,
    ...summary,
    maxAmd: finite(summary.maxAmd),
    maxF05: finite(summary.maxF05),
    atGamma:
      summary.atGamma === null ? null : { ...finite(summary.atGamma), gamma: finiteNumber(summary.atGamma.gamma) },
    ece,
    brier,
    segmentation:
      quality === undefined
        ? null
        : {
            accuracy: quality.accuracy,
            meanIou: quality.meanIou,
            perClass: quality.perClass.map((row, k) => ({ name: classes[k]?.name ?? `class ${k}`, ...row })),
          },
    confusion: confusion === null ? null : confusion.rows(),
    chance: { ...summary.chance },
    uncertainty: { ...summary.uncertainty },
    bounds: { ...summary.bounds },
    reasons,
    intervals: summary.intervals ?? null,
    policy: { name: policy, ...policies[policy] },
    classes: classes.map(({ name, colour }) => ({ name, colour: [...colour] })),
    levels: thresholdLevels(set.total, exactly).map(finiteNumber),
    examples: [],
    network: evaluation.network ?? null,
    data: evaluation.data ?? null,
    key: evaluation.key ?? null,
    chosen: evaluation.chosen ?? null,
    remarks: [...(evaluation.remarks ?? [])],
    command: evaluation.command,
    seeds: { ...evaluation.seeds },
    environment: { ...evaluation.environment },
  };
  return evaluation.meaningless === undefined ? result : withoutMeasures(result, evaluation.meaningless);
}

/** JSON has no infinity. Beyond float32, which uncertainty is, the largest and smallest doubles do the same as thresholds. */
const finiteNumber = (value: number): number => Math.min(Number.MAX_VALUE, Math.max(-Number.MAX_VALUE, value));

function withoutMeasures(result: ResultFile, reason: string): ResultFile {
  return {
    ...result,
    ...(Object.fromEntries(measures.map((name) => [name, null])) as { [name in (typeof measures)[number]]: null }),
    chance: { auroc: 0.5, aupr: null, auprError: null },
    bounds: {},
    reasons: Object.fromEntries(measures.map((name) => [name, reason])),
  };
}
