/**
 * Semantic segmentation that knows where it is wrong: training, evaluation and deployment of γ-SSL and its baselines.
 *
 * Whatever takes a while reports progress to a callback and is cancelled by an `AbortSignal`. Errors that the caller can fix are
 * `UserError`.
 */

// The dashboard of trainings
export { type ListedRun, listRuns } from "./dashboard/listRuns.js";
export { type RunningDashboard, type WatchOptions, watch } from "./dashboard/watch.js";
// Data sets
export type { DatasetCheck } from "./data/datasets/checkDataset.js";
export type { Dataset, Item, Sample } from "./data/datasets/dataset.js";
export type { Problem } from "./data/datasets/problem.js";
export { readSample } from "./data/datasets/readSample.js";
export { DataError, type DataErrorCode } from "./data/images/dataError.js";
export type { RgbImage } from "./data/images/tensors.js";
export { describeDataset, describeProblems } from "./data/open/describeCheck.js";
export { type Inspection, type InspectOptions, inspect } from "./data/open/inspect.js";
export type { CheckedDataset } from "./data/open/openChecked.js";
export { openDataset } from "./data/open/openDataset.js";
export { previewScenes } from "./data/scenes/preview.js";
// Deployment
export { exportableMethods } from "./deployment/export/exportable.js";
export type { ThresholdFile } from "./deployment/export/thresholdFile.js";
export { describeExport, type ExportOptions, type ExportResult, exportModel } from "./deployment/exportModel.js";
export type { ModelDescription, ModelFile } from "./deployment/model/modelDescription.js";
export type { Segmentation } from "./deployment/model/segment.js";
export { type PredictOptions, predict } from "./deployment/predict/predict.js";
export type { ImageReport, Predictions } from "./deployment/predict/predictions.js";
export {
  type ProbabilitiesOptions,
  probabilitiesOf as writeProbabilities,
} from "./deployment/predict/probabilities.js";
export { type NodeImage, Segmenter, type SegmenterOptions } from "./deployment/segmenter.js";
export { type MergedLabels, type MergeOptions, mergeLabels } from "./deployment/select/mergeLabels.js";
export { type ImageSelection, type SelectOptions, selectImages } from "./deployment/select/selectImages.js";
export {
  type SolvedThreshold,
  type ThresholdOptions,
  thresholdFor as solveThreshold,
} from "./deployment/threshold/thresholdFor.js";
export { thresholdCard } from "./deployment/threshold/writeThreshold.js";
export type { Placement } from "./engine/runtime/placement.js";
// Evaluation
export {
  type EvaluateOptions,
  type EvaluationPlan,
  evaluate,
  planEvaluation,
  type RunResult,
} from "./evaluation/evaluate.js";
export { type ResultFile, type Selection, selections } from "./evaluation/results/resultFile.js";
export { type ScoredFiles, type ScoreOptions, scoreFiles as score } from "./evaluation/scoreFiles.js";
// Experiments
export { type AblateOptions, type AblationStudy, ablate } from "./experiments/ablate.js";
export { type Benchmark, type BenchOptions, bench } from "./experiments/bench.js";
export { demoConfig, demoMethods, demoTest } from "./experiments/demo.js";
export { doctor, type Finding } from "./experiments/doctor.js";
export { lossGradients as gradientTable } from "./experiments/gradients.js";
export type { PaperRow } from "./experiments/paper/paperRow.js";
export { studyPaper, tablesBesidePaper } from "./experiments/paper/studyPaper.js";
export { type ReproductionPlan, readPlan, scenesPlan } from "./experiments/reproduce/plan.js";
export { type PaperPart, paperParts } from "./experiments/reproduce/plannedRuns.js";
export {
  outlineReproduction,
  type ReproduceOptions,
  type Reproduction,
  type ReproductionOutline,
  reproduce,
} from "./experiments/reproduce/reproduce.js";
export type { Study, StudyOptions } from "./experiments/studies/study.js";
export { type ShiftRow, type StudyShiftOptions, studyShift } from "./experiments/studies/studyShift.js";
export { type StudyThresholdOptions, studyThreshold, type ThresholdRow } from "./experiments/studies/studyThreshold.js";
export { type StudyTransferOptions, studyTransfer, type TransferRow } from "./experiments/studies/studyTransfer.js";
export { type GradientTable, printGradientTable } from "./methods/gamma-ssl/gradientTable.js";
export { type BaselineOptions, usualBaselines } from "./methods/parts/baselineOptions.js";
export type { Method } from "./methods/parts/method.js";
export { loadPlugin, type Plugin } from "./methods/plugins.js";
export { methods } from "./methods/registry.js";
export { policyNames } from "./metrics/verdict.js";
export { UserError } from "./platform/errors.js";
export type { Computing, OnProgress, Watching } from "./platform/watching.js";
export { type Device, devices } from "./platform/watching.js";
export { perClassText } from "./report/perClassText.js";
export { compare, report, type WrittenReport } from "./report/report.js";
export type { ResultTable } from "./report/resultTable.js";
export { resultText, tableCsv, tableLatex, tableRows, tableText } from "./report/tableText.js";
export { type Inks, type TextTable, textTables as studyText } from "./report/textTable.js";
// Training
export {
  ablationNames,
  mergeSettings,
  profileNames,
  readSettings,
  resolveConfig,
  type TrainConfig,
} from "./runs/config.js";
export { openRun, type TrainedRun } from "./runs/openRun.js";
export { readToken } from "./server/http/readToken.js";
// Serving
export type { Site } from "./server/http/site.js";
export type { Timeouts } from "./server/http/timeouts.js";
export type { ModelStatus, RunningServer, ServeOptions } from "./server/options.js";
export type { Reloaded } from "./server/pool/reloadModel.js";
export { serve } from "./server/serve.js";
export type { TrainingPlan } from "./training/dryRun.js";
export { replayStep } from "./training/nonFinite.js";
export { type PlanOptions, planTraining, type TrainOptions, train } from "./training/train.js";
export type { TrainEvent } from "./training/trainJob.js";
// The page that runs models in a browser
export type { SiteEntry } from "./viewer/builtPage.js";
export { checkSite, type ReadModel, type SiteOptions, siteFiles, writeSite } from "./viewer/site.js";
