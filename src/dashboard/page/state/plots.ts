import { lineStyles, plotsOfNames, stageMarks, titleOf } from "../../../report/loggedNames.js";
import { around, type Plot, type Series } from "../../../report/plot.js";
import { smoothed } from "../../../report/smoothed.js";
import type { Curve, Curves, RunFacts } from "../../protocol.js";

/** A run that is drawn. */
export interface DrawnRun {
  readonly name: string;
  /** Its place among all runs. */
  readonly index: number;
  readonly curves: Curves;
  readonly stages: RunFacts["stages"] | undefined;
}

export interface Drawing {
  readonly smoothing: number;
  /** Share of the steps that is drawn, the last ones. */
  readonly share: number;
}

export interface LivePlot {
  readonly key: string;
  readonly plot: Plot;
}

/** Plots that are seen at once; the others are folded away. */
export const isFirst = (key: string): boolean => /^(validation\..*|loss(\..*)?|gamma|shares|learningRate)$/.test(key);

/** What is measured over many images, or set, has no noise to take away. */
const isSmooth = (key: string): boolean => key.startsWith("validation.") || key === "learningRate";

/** The plots of some runs over each other: a colour for each run; where a plot has two numbers, the second is dotted. */
export function livePlots(runs: readonly DrawnRun[], drawing: Drawing): LivePlot[] {
  const marks = stageMarks(runs.map(({ stages }) => stages));
  const last = Math.max(
    0,
    ...runs.flatMap(({ curves }) => Object.values(curves).map(({ steps }) => steps.at(-1) ?? 0)),
  );
  const from = drawing.share === 1 ? 0 : last * (1 - drawing.share);
  return plotsOfNames(runs.flatMap(({ curves }) => Object.keys(curves))).flatMap(({ key, names }) => {
    const series = runs.flatMap(({ name: run, index, curves }) =>
      names.flatMap(({ name, branch }, k) => {
        // Names are anybody's, "constructor" among them.
        const curve = Object.hasOwn(curves, name) ? curves[name] : undefined;
        if (curve === undefined) return [];
        const label = branch === null ? run : `${run}, ${branch}`;
        const smoothing = isSmooth(key) ? 0 : drawing.smoothing;
        return [{ label, look: { colour: index, dotted: k > 0 }, ...drawn(curve, from, smoothing) }];
      }),
    );
    const values = series.flatMap(({ points, band }) => [
      ...points.map(({ y }) => y),
      ...(band ?? []).flatMap(({ low, high }) => [low, high]),
    ]);
    if (values.length === 0) return [];
    const plot: Plot = {
      name: `training ${key}`,
      title: titleOf(key),
      meaning: lineStyles(names).trim(),
      x: { label: "step", from, to: Math.max(last, from + 1) },
      y: { label: "", ...around(values) },
      series,
      chance: null,
      marks: marks.filter(({ x }) => x >= from),
    };
    return [{ key, plot }];
  });
}

/** The means as a curve, and what they stand for as an area: extremes of steps that were joined, and what smoothing took away. */
function drawn(curve: Curve, from: number, smoothing: number): Pick<Series, "points" | "band"> {
  const means = smoothed(curve.mean, smoothing);
  const kept = curve.steps.map((x, i) => ({ x, i })).filter(({ x }) => x >= from);
  const points = kept.map(({ x, i }) => ({ x, y: means[i]! }));
  const band = kept.map(({ x, i }) => ({ x, low: curve.low[i]!, high: curve.high[i]! }));
  const wide = smoothing > 0 || band.some(({ low, high }) => low < high);
  // A single point has no line: it is drawn as a short one.
  const [only, ...others] = points;
  const visible = only !== undefined && others.length === 0 ? [only, { x: only.x + 1e-6, y: only.y }] : points;
  return wide ? { points: visible, band } : { points: visible };
}
