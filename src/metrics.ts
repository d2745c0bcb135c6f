/**
 * Measures of segmentation with uncertainty from counts of pixels: AUROC, AUPR, A_MD, F0.5, IoU, calibration, and intervals over images.
 * Pure arithmetic without a dependency; it runs in browsers.
 */

export { aurc, auroc, averagePrecision, averagePrecisionOfErrors, fprAtTpr } from "./metrics/areas.js";
export { type AtThreshold, atThreshold, type Counts, countsAt, fBeta } from "./metrics/atThreshold.js";
export { type Best, maxAmd, maxF05 } from "./metrics/best.js";
export { type BootstrapOptions, bootstrap, type Interval, type Intervals } from "./metrics/bootstrap.js";
export { ConfidenceHistogram } from "./metrics/calibration.js";
export { ConfusionMatrix, type SegmentationQuality } from "./metrics/confusion.js";
export { type Curves, curvesOf } from "./metrics/curves.js";
export { matchedInterval, matchedThreshold } from "./metrics/matchedThreshold.js";
export type { Known, Measured, Missing } from "./metrics/measured.js";
export { addSketches, pixelsOf, type Sketch } from "./metrics/sketch.js";
export { readSketchSet, writeSketchSet } from "./metrics/sketchBytes.js";
export { addSketchSets, resolutions, SketchBuilder, type SketchSet } from "./metrics/sketchSet.js";
export { type Result, type SummaryOptions, summarise } from "./metrics/summarise.js";
export { judge, type LabelMeaning, policies, type UnknownPolicy } from "./metrics/verdict.js";
