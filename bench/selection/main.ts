/**
 * What rules of choosing images to label choose (docs/labelling.md).
 *
 *   npm run bench:selection -- --model runs/demo/model.onnx --on "camvid:data/camvid?classes=cityscapes&every=2" [--count 10,20,40]
 *
 * The data set has labels of the model's classes. For each rule: the share of all wrong pixels that lies in the chosen images, pairs of
 * them that look alike, and the mean distance of an image from the nearest chosen one. Random choice is the mean of 30.
 */
import { parseArgs } from "node:util";
import sharp from "sharp";
import { readSample } from "../../src/data/datasets/readSample.js";
import { nearestMap } from "../../src/data/images/scale.js";
import { scaledTo } from "../../src/data/images/scaledTo.js";
import { openDataset } from "../../src/data/open/openDataset.js";
import { DeployedModel } from "../../src/deployment/model/deployedModel.js";
import { type Candidate, chooseImages } from "../../src/deployment/select/chooseImages.js";
import { candidateOf } from "../../src/deployment/select/selectImages.js";
import { nodeRuntime } from "../../src/engine/runtime/node.js";
import { cacheFolder } from "../../src/platform/cacheFolder.js";
import { print } from "../../src/platform/print.js";
import { VOID_LABEL } from "../../src/platform/voidLabel.js";

interface Measured extends Candidate {
  /** Wrong pixels, as a share of the image. */
  readonly wrong: number;
  /** 8 x 8 pixels, red, green and blue. */
  readonly thumbnail: Uint8Array;
}

/** Images whose thumbnails differ by less (root mean square, in grey levels) look alike. */
const ALIKE = 12;
const DRAWS = 30;

const { values: given } = parseArgs({
  options: { model: { type: "string" }, on: { type: "string" }, count: { type: "string", default: "10,20,40" } },
});
if (given.model === undefined || given.on === undefined) throw new Error("--model FILE --on SPEC");

const images = await measured(given.model, given.on);
print(`${images.length} images of ${given.on}`);
for (const count of given.count.split(",").map(Number)) {
  const draws = Array.from({ length: DRAWS }, (_, seed) => facts(shuffled(images.length, seed).slice(0, count)));
  show(count, "random", mean(draws));
  show(count, "most uncertain", facts(chooseImages(images, count, 1)));
  for (const times of [2, 4, 8]) show(count, `differing, ${times} n`, facts(chooseImages(images, count, times)));
}

async function measured(file: string, spec: string): Promise<Measured[]> {
  const model = await DeployedModel.read(nodeRuntime({ threads: 1 }), file);
  const dataset = await openDataset(spec, { cache: cacheFolder() });
  const found: Measured[] = [];
  for (const item of dataset.items) {
    const sample = await readSample(dataset, item);
    const image = await scaledTo(sample, model.info.height, item.image);
    const prediction = await model.predict(image);
    const labels = nearestMap(sample.labels!, sample, image);
    const wrong = labels.reduce(
      (n, label, i) => n + (label !== VOID_LABEL && label !== prediction.predicted[i] ? 1 : 0),
      0,
    );
    const thumbnail = await sharp(image.rgb, { raw: { width: image.width, height: image.height, channels: 3 } })
      .resize(8, 8, { fit: "fill" })
      .raw()
      .toBuffer();
    found.push({ ...candidateOf(prediction, model.info.classes.length), wrong: wrong / labels.length, thumbnail });
  }
  await model.close();
  return found;
}

function facts(chosen: readonly number[]): [wrong: number, alike: number, distance: number] {
  const wrong = (list: readonly Measured[]): number => list.reduce((sum, image) => sum + image.wrong, 0);
  const pairs = chosen.flatMap((a, i) => chosen.slice(i + 1).map((b) => distance(images[a]!, images[b]!)));
  const nearest = images.map((image) => Math.min(...chosen.map((index) => distance(image, images[index]!))));
  return [
    wrong(chosen.map((index) => images[index]!)) / wrong(images),
    pairs.filter((far) => far < ALIKE).length,
    nearest.reduce((sum, far) => sum + far, 0) / images.length,
  ];
}

function distance({ thumbnail: a }: Measured, { thumbnail: b }: Measured): number {
  return Math.sqrt(a.reduce((sum, value, i) => sum + (value - b[i]!) ** 2, 0) / a.length);
}

function mean(draws: readonly (readonly number[])[]): number[] {
  return draws[0]!.map((_, i) => draws.reduce((sum, draw) => sum + draw[i]!, 0) / draws.length);
}

/** Numbers below `length` in an order of the seed's. */
function shuffled(length: number, seed: number): number[] {
  let state = seed + 1;
  const drawn = Array.from({ length }, (_, index) => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9;
    return { index, at: state >>> 0 };
  });
  return drawn.sort((a, b) => a.at - b.at).map(({ index }) => index);
}

function show(count: number, rule: string, [wrong, alike, far]: readonly number[]): void {
  const cells = [`${(100 * wrong!).toFixed(1)} %`, alike!.toFixed(1), far!.toFixed(1)];
  print(`${String(count).padStart(4)}  ${rule.padEnd(16)}  ${cells.map((cell) => cell.padStart(7)).join("")}`);
}
