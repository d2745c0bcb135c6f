import { join } from "node:path";
import { MOST_PREDICTED } from "../../data/images/imageLimits.js";
import { decodeImage } from "../../data/images/readImage.js";
import type { RgbImage } from "../../data/images/tensors.js";
import { badFrame, type Frame, ImageLog } from "../../data/logs/imageLog.js";
import type { ImageMessage } from "../../data/logs/imageMessage.js";
import { rgbOf } from "../../data/logs/rawPixels.js";
import { writeAtomically } from "../../platform/atomicFile.js";
import { fileOf, type PredictInput } from "./findInputs.js";
import { logLayout } from "./logLayout.js";
import { type ImageRequest, predictImage } from "./predictImage.js";
import { PredictionLog } from "./predictionLog.js";
import type { ImageReport } from "./predictions.js";

/** Where the predictions of a log go, below the folder of all. */
export const logFiles = (id: string): { log: string; layout: string } => ({
  log: fileOf("log", id, ".mcap"),
  layout: fileOf("log", id, ".layout.json"),
});

/**
 * Predict the images of a log one by one. The .mcap with what the model says appears once all were read; an image that cannot be read is
 * passed over.
 */
export async function* predictLog(
  request: ImageRequest & { readonly name: string },
  { file, id, topic, frames }: PredictInput & { readonly kind: "log" },
  passOver: (error: unknown) => void,
): AsyncGenerator<ImageReport> {
  const { to, model } = request;
  const { info } = model;
  const images = await ImageLog.open(file);
  const paths = logFiles(id);
  let written: PredictionLog | undefined;
  let finished = false;
  try {
    const sources = images.channelsOf(topic);
    written = await PredictionLog.create(join(to, paths.log), { sources, info, model: request.name });
    let frame = 0;
    for await (const { frame: from, message, image } of images.read(topic, frames)) {
      const place = { id: `${id}/${from.id}`, file, frame: ++frame };
      const read = await pixelsOf(images, topic, from, image).catch(passOver);
      if (!read) continue;
      const { report, prediction, certain } = await predictImage(request, place, read.pixels);
      const at = { stamp: read.message.stamp ?? message.logTime, frameId: read.message.frameId };
      await written.add({ message, at, report, prediction, certain });
      yield report;
    }
    await written.finish();
    finished = true;
  } finally {
    // Also where the caller stops taking reports in the middle.
    if (!finished) await written?.abandon();
    await images.close();
  }
  await writeAtomically(join(to, paths.layout), `${JSON.stringify(logLayout(topic, info), null, 1)}\n`);
}

async function pixelsOf(
  images: ImageLog,
  topic: string,
  frame: Frame,
  image: () => ImageMessage,
): Promise<{ readonly message: ImageMessage; readonly pixels: RgbImage }> {
  const { file } = images.log;
  const message = image();
  try {
    if (message.pixels.kind === "raw") return { message, pixels: rgbOf(message.pixels, MOST_PREDICTED) };
    return { message, pixels: (await decodeImage(message.pixels.data, "it", MOST_PREDICTED)).image };
  } catch (cause) {
    throw badFrame(file, topic, frame, cause);
  }
}
