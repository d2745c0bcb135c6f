import { availableParallelism } from "node:os";
import { join } from "node:path";
import { DeployedModel } from "../deployment/model/deployedModel.js";
import { findInputs } from "../deployment/predict/findInputs.js";
import { predictImages } from "../deployment/predict/predictImages.js";
import type { Predictions } from "../deployment/predict/predictions.js";
import { requireFfmpeg } from "../deployment/predict/video.js";
import { nodeRuntime } from "../engine/runtime/node.js";
import { print, printJson } from "../platform/print.js";
import { screenOn } from "./trainStatus.js";
import { wholeNumber } from "./wholeNumber.js";

interface PredictOptions {
  readonly to: string;
  readonly height?: string;
  readonly threads?: string;
  readonly json?: true;
}

export async function predict(file: string, given: readonly string[], options: PredictOptions): Promise<void> {
  const screen = screenOn(process.stderr);
  const threads = wholeNumber("threads", options.threads ?? String(availableParallelism()), [1, 256]);
  const inputs = await findInputs(given);
  const video = inputs.find(({ kind }) => kind === "video");
  if (video !== undefined) await requireFfmpeg(video.file);
  const model = await DeployedModel.read(nodeRuntime({ threads }), file);
  let done = 0;
  const predictions = await predictImages({
    model,
    name: file,
    inputs,
    to: options.to,
    height: heightOf(options.height, model.info.height),
    onImage: ({ id }) => screen.passing(`${++done} images, ${id}`),
    onSkipped: (_, reason) => screen.line(`skipped: ${reason}`),
  }).finally(() => model.close());
  screen.passing("");
  if (options.json) printJson(predictions, 1);
  else for (const line of summary(predictions, options.to)) print(line);
  if (predictions.skipped.length > 0) process.exitCode = 1;
}

function heightOf(text: string | undefined, trained: number): number | "own" {
  if (text === undefined || text === "own") return text ?? trained;
  return wholeNumber("height", text, [16, 8192]);
}

/** Images named in the summary; predictions.json has them all. */
const MOST_NAMED = 10;

function* summary({ images, skipped, outOfDomainRule }: Predictions, to: string): Generator<string> {
  const mean = images.reduce((total, { certain }) => total + certain, 0) / Math.max(1, images.length);
  const strange = images.filter(({ outOfDomain }) => outOfDomain);
  yield `${images.length === 1 ? "1 image" : `${images.length} images`}, ${(100 * mean).toFixed(1)} % of pixels certain${skipped.length === 0 ? "" : `; ${skipped.length} skipped`}`;
  if (strange.length > 0) {
    yield `${strange.length} out of domain (${outOfDomainRule}):`;
    for (const { id, certain } of strange.slice(0, MOST_NAMED))
      yield `  ${id}  ${(100 * certain).toFixed(1)} % certain`;
    if (strange.length > MOST_NAMED) yield `  and ${strange.length - MOST_NAMED} more`;
  }
  yield join(to, "predictions.json");
}
