import { float32, type HostTensor, type Tensors } from "../../engine/tensor/hostTensor.js";
import { random } from "../../engine/tensor/random.js";
import { type Shape, size } from "../../engine/tensor/shape.js";
import { invariant } from "../../platform/errors.js";
import { inParallel } from "../../platform/inParallel.js";
import { type Draw, labelledView } from "../augment/labelledView.js";
import { type Matching, pairOfViews } from "../augment/pairOfViews.js";
import { labelsTensor } from "../images/tensors.js";
import {
  type BatchPlan,
  type LabelledStream,
  labelledNames,
  type PairStream,
  pairNames,
  type Stream,
} from "./batchPlan.js";
import type { ScaledImage } from "./imageCache.js";
import { imagesOf } from "./order.js";

/** Images being read at once: enough to keep decoding busy, few enough that large ones do not fill the memory. */
const AT_ONCE = 4;

/**
 * The batch of a step, as batchPlan.ts describes it, of images that `read` brings: from files (makeBatch.ts), or drawn in a browser.
 * Every tensor has memory of its own, so it can be handed to another thread.
 */
export async function batchFeeds(
  plan: BatchPlan,
  step: number,
  read: (stream: Stream, index: number) => Promise<ScaledImage>,
): Promise<Tensors> {
  const feeds: Record<string, HostTensor> = {};
  for (const stream of plan.streams) {
    const draw = (sample: number): Draw => {
      return (purpose) => random(plan.seed, step, stream.name, sample, purpose);
    };
    const images = imagesOf(
      { seed: plan.seed, stream: stream.name, count: stream.dataset.items.length, size: stream.size },
      step,
    );
    const own = (sample: number): Promise<ScaledImage> => read(stream, images[sample]!);
    Object.assign(
      feeds,
      stream.kind === "labelled" ? await labelledFeeds(stream, own, draw) : await pairFeeds(stream, own, draw),
    );
  }
  for (const { name, shape } of plan.noises) feeds[name] = noise(shape, plan.seed, step, name);
  return feeds;
}

type Read = (sample: number) => Promise<ScaledImage>;

async function labelledFeeds(
  { name, size: count, view }: LabelledStream,
  read: Read,
  draw: (sample: number) => Draw,
): Promise<Tensors> {
  const images = new Images(count, view.crop);
  const maps = await several(count, async (sample) => {
    const { labels, ...image } = await read(sample);
    invariant(labels !== null, `stream "${name}" learns from images without labels`);
    return labelledView({ ...image, labels }, view, draw(sample), images.of(sample));
  });
  const names = labelledNames(name);
  return { [names.images]: images.tensor, [names.labels]: labelsTensor(maps, view.crop) };
}

async function pairFeeds(
  { name, size: count, view, scoreStride }: PairStream,
  read: Read,
  draw: (sample: number) => Draw,
): Promise<Tensors> {
  const [height, width] = view.crop;
  const [first, second] = [new Images(count, view.crop), new Images(count, view.crop)];
  const matchings = await several(count, async (sample) =>
    pairOfViews(await read(sample), view, scoreStride, draw(sample), {
      first: first.of(sample),
      second: second.of(sample),
    }),
  );
  const all = (part: (matching: Matching) => Float32Array, shape: Shape): HostTensor =>
    stacked(matchings.map(part), shape);
  const names = pairNames(name);
  const feedsOf = (view: "first" | "second", { tensor }: Images): Tensors => ({
    [names[view].images]: tensor,
    [names[view].rows]: all((matching) => matching[view].rows, [height, height / scoreStride]),
    [names[view].columns]: all((matching) => matching[view].columns, [width, width / scoreStride]),
  });
  return {
    ...feedsOf("first", first),
    ...feedsOf("second", second),
    [names.valid]: all(({ valid }) => valid, [height, width]),
  };
}

/** Images of one batch, each written into its part of the tensor. */
class Images {
  readonly tensor: HostTensor;
  readonly #data: Float32Array;
  readonly #length: number;

  constructor(count: number, [height, width]: readonly [number, number]) {
    this.#length = 3 * height * width;
    this.#data = new Float32Array(count * this.#length);
    this.tensor = float32([count, 3, height, width], this.#data);
  }

  of(sample: number): Float32Array {
    return this.#data.subarray(sample * this.#length, (sample + 1) * this.#length);
  }
}

/** One tensor of equal parts. */
function stacked(parts: readonly Float32Array[], shape: Shape): HostTensor {
  const data = new Float32Array(parts.length * size(shape));
  parts.forEach((part, n) => {
    data.set(part, n * part.length);
  });
  return float32([parts.length, ...shape], data);
}

/** Uniform in [0, 1). 24 bits: as a float32, a number closer to 1 would be 1. */
function noise(shape: Shape, seed: number, step: number, name: string): HostTensor {
  const { uniform } = random(seed, step, "noise", name);
  const data = new Float32Array(size(shape));
  for (let i = 0; i < data.length; i++) data[i] = Math.floor(uniform() * 2 ** 24) / 2 ** 24;
  return float32(shape, data);
}

/** Results in order, a few at a time. */
async function several<T>(count: number, make: (index: number) => Promise<T>): Promise<T[]> {
  const results = new Array<T>(count);
  await inParallel(count, AT_ONCE, async (index) => {
    results[index] = await make(index);
  });
  return results;
}
