import { UserError } from "../../platform/errors.js";
import type { ViewOptions } from "../augment/view.js";
import type { BatchPlan, Stream } from "./batchPlan.js";

/** Refuse a plan that no batch can be made of, before any thread is started. */
export function checkPlan({ streams, noises }: BatchPlan): void {
  const names = [...streams, ...noises].map(({ name }) => name);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) throw new UserError(`batch: two inputs are called "${twice}"`, { hint: "rename one" });
  for (const stream of streams) checkStream(stream);
}

function checkStream(stream: Stream): void {
  const { name, dataset, size, view } = stream;
  const refuse = (found: string, hint: string): never => {
    throw new UserError(`batch: stream "${name}" ${found}`, { hint });
  };
  if (dataset.items.length === 0) refuse(`has no images: ${dataset.spec} is empty`, "choose another data set");
  if (!isCount(size)) refuse(`has ${size} images in a batch`, "give a whole number, 1 or more");
  checkView(view, refuse);
  if (stream.kind === "labelled") {
    const unlabelled =
      dataset.labelling === null ? dataset.items[0] : dataset.items.find((item) => item.labels === null);
    if (unlabelled !== undefined) {
      refuse(`learns from labels, but "${unlabelled.id}" of ${dataset.spec} has none`, "choose a labelled data set");
    }
  } else {
    const { scoreStride } = stream;
    const [height, width] = view.crop;
    if (!isCount(scoreStride) || height % scoreStride !== 0 || width % scoreStride !== 0) {
      refuse(
        `crops ${height} x ${width}, which is not a multiple of the scores' stride ${scoreStride}`,
        `nearest: ${nearestMultiple(height, scoreStride)} x ${nearestMultiple(width, scoreStride)}`,
      );
    }
  }
}

function checkView(
  { height, crop, scale, flip, local }: ViewOptions,
  refuse: (found: string, hint: string) => never,
): void {
  if (!isCount(height)) refuse(`scales images to a height of ${height}`, "give a whole number of pixels");
  if (!crop.every(isCount)) refuse(`crops ${crop.join(" x ")}`, "give whole numbers of pixels");
  if (!(scale[0] > 0 && scale[0] <= scale[1] && scale[1] < Number.POSITIVE_INFINITY)) {
    refuse(`scales by ${scale.join(" to ")}`, "give a smaller and a larger factor, above 0");
  }
  if (!(local.side[0] > 0 && local.side[0] <= local.side[1] && local.side[1] <= 1)) {
    refuse(`cuts local crops with sides of ${local.side.join(" to ")}`, "give shares of the crop, above 0, at most 1");
  }
  for (const [what, chance] of Object.entries({ flip, "local crop": local.chance })) {
    if (!(chance >= 0 && chance <= 1)) refuse(`has a ${what} chance of ${chance}`, "give a number from 0 to 1");
  }
}

const isCount = (value: number): boolean => Number.isInteger(value) && value >= 1;

const nearestMultiple = (pixels: number, stride: number): number =>
  Math.max(1, Math.round(pixels / Math.max(1, Math.round(stride)))) * Math.max(1, Math.round(stride));
