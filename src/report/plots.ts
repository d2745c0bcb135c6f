import type { ResultFile } from "../evaluation/results/resultFile.js";
import { type CurvePoint, curvesOf } from "../metrics/curves.js";
import type { SketchSet } from "../metrics/sketchSet.js";
import type { Plot, Series } from "./plot.js";

/** A method on a data set, as plots need it. */
export interface Drawn {
  readonly label: string;
  readonly result: ResultFile;
  readonly set: SketchSet;
}

const whole = { from: 0, to: 1 } as const;

/** The four plots of the paper's figures 5 and 7. A method whose labels say nothing draws no curve. */
export function plotsOf(methods: readonly Drawn[]): Plot[] {
  const curves = methods.map(({ result, set }) =>
    result.accuracy === null ? null : curvesOf(set.total, { points: 200 }),
  );
  const series = (pick: (curve: NonNullable<(typeof curves)[number]>) => readonly CurvePoint[]): Series[] =>
    methods.map(({ label }, i) => {
      const curve = curves[i] ?? null;
      return { label, points: curve === null ? [] : pick(curve) };
    });
  const accuracies = methods.flatMap(({ result }) => (result.accuracy === null ? [] : [result.accuracy]));
  const pac = { label: "p(a,c): right and kept, of all pixels", from: 0, to: ceilTenth(Math.max(0.1, ...accuracies)) };
  const amd = series((curve) => curve.amd);
  const lowest = Math.min(0.5, ...amd.flatMap(({ points }) => points.map(({ y }) => y)));
  const [accuracy] = accuracies;
  return [
    {
      name: "roc",
      title: "ROC",
      meaning: "How many right pixels stay when so many wrong ones slip through. Up and to the left is better.",
      x: { label: "wrong pixels kept", ...whole },
      y: { label: "right pixels kept", ...whole },
      series: series((curve) => curve.roc),
      chance: [
        { x: 0, y: 0 },
        { x: 1, y: 1 },
      ],
    },
    {
      name: "pr",
      title: "Precision and recall",
      meaning: "How pure the kept pixels are when so many of the right ones are kept. Higher is better.",
      x: { label: "right pixels kept (recall)", ...whole },
      y: { label: "right among the kept (precision)", ...whole },
      series: series((curve) => curve.precisionRecall),
      // Methods may differ in accuracy; one line for several would be wrong for all but one.
      chance:
        accuracy !== undefined && accuracies.every((value) => Math.abs(value - accuracy) < 0.005)
          ? [
              { x: 0, y: accuracy },
              { x: 1, y: accuracy },
            ]
          : null,
    },
    {
      name: "amd",
      title: "A_MD",
      meaning: "How often “kept” and “right” agree, over how many pixels are both. The peak is MaxA_MD.",
      x: pac,
      y: { label: "A_MD", from: Math.floor(lowest * 10 + 1e-9) / 10, to: 1 },
      series: amd,
      chance: null,
    },
    {
      name: "f05",
      title: "F0.5",
      meaning: "Purity and yield of the kept pixels in one number that cares more for purity. The peak is MaxF0.5.",
      x: pac,
      y: { label: "F0.5", ...whole },
      series: series((curve) => curve.f05),
      chance: null,
    },
  ];
}

const ceilTenth = (value: number): number => Math.min(1, Math.ceil(value * 10 - 1e-9) / 10);
