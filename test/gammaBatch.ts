import { float32, type HostTensor, int64, type Tensors } from "../src/engine/tensor/hostTensor.js";
import { interpolation } from "../src/engine/tensor/interpolation.js";
import { random } from "../src/engine/tensor/random.js";
import { type Shape, size, type TensorType } from "../src/engine/tensor/shape.js";
import type { GammaOptions } from "../src/methods/gamma-ssl/options.js";
import { paper } from "../src/methods/gamma-ssl/options.js";
import { dialFeeds, type GammaStep, type StageName, type StepPlan } from "../src/methods/gamma-ssl/step.js";
import { VOID_LABEL } from "../src/platform/voidLabel.js";

/** Five classes, two of them things. */
const CLASS_NAMES = ["road", "wall", "pole", "sky", "car"] as const;

/** A profile shrunk until a step takes a fraction of a second: a narrow network, four small images of each kind. */
const tiny = (options: GammaOptions): GammaOptions => ({
  ...options,
  network: { ...options.network, outputStride: 16, width: 0.125, features: 16 },
  batch: { source: 4, prototype: options.batch.prototype === 2 ? 2 : 4, target: 4 },
});

/** As small as it can be, with every part: for devices that are slow to try. */
export function tiniestPlan(stage: StageName, options: GammaOptions): StepPlan {
  const plan = tinyPlan(stage, options);
  const network = { ...plan.options.network, width: 0.0625, features: 8 };
  return {
    ...plan,
    options: { ...plan.options, network, batch: { source: 2, prototype: 2, target: 2 } },
    crop: [32, 32],
  };
}

export const tinyPlan = (stage: StageName, options: GammaOptions = paper): StepPlan => ({
  options: tiny(options),
  classes: CLASS_NAMES,
  crop: [32, 64],
  stage,
});

/** A batch for a step of the method, keyed by its number: everything it is fed besides its state and learning rate. */
export function gammaBatch(step: GammaStep, key: number): Tensors {
  const feeds = [...step.batch, ...step.noises].map(([name, type]) => [name, feedFor(name, type, key)] as const);
  return { ...Object.fromEntries(feeds), ...dialFeeds(step) };
}

function feedFor(name: string, { shape }: TensorType, key: number): HostTensor {
  const draw = random("gamma batch", name, key);
  const filled = (next: (i: number) => number): HostTensor =>
    float32(
      shape,
      Float32Array.from({ length: size(shape) }, (_, i) => next(i)),
    );
  if (name.startsWith("noise.")) return filled(draw.uniform);
  if (name.endsWith(".labels")) return labels(shape, key);
  if (name.endsWith(".valid")) return filled((i) => Number(i % shape.at(-1)! < shape.at(-1)! - 6));
  if (name.endsWith(".rows") || name.endsWith(".columns")) return matrices(name, shape, key);
  return filled(draw.normal);
}

/** Blocks of classes; the last class is rare, every seventh block is void. */
function labels(shape: Shape, key: number): HostTensor {
  const [n, h, w] = shape as [number, number, number];
  const draw = random("labels", key);
  const block = Array.from({ length: n * (h / 8) * (w / 8) }, (_, i) => {
    if (i % 7 === 6) return VOID_LABEL;
    return draw.below(40) === 0 ? CLASS_NAMES.length - 1 : draw.below(CLASS_NAMES.length - 1);
  });
  const at = (i: number): number => {
    const [x, y, image] = [i % w, Math.floor(i / w) % h, Math.floor(i / (w * h))];
    return block[(image * (h / 8) + Math.floor(y / 8)) * (w / 8) + Math.floor(x / 8)]!;
  };
  return int64(
    shape,
    Array.from({ length: size(shape) }, (_, i) => at(i)),
  );
}

/** Eq. 6: the view that was not cut has its scores cut to the other's part; the view that was, has them enlarged only. */
function matrices(name: string, [n, samples, cells]: Shape, key: number): HostTensor {
  const axis = name.endsWith(".rows") ? "rows" : "columns";
  const rows = Array.from({ length: n! }, (_, i) => {
    const draw = random("local crop", axis, i, key);
    const side = Math.max(2, Math.round(cells! * (0.5 + 0.4 * draw.uniform())));
    const span = { start: Math.floor(draw.uniform() * (cells! - side)), length: side };
    const otherWasCut = (i % 2 === 0) === name.includes(".first.");
    return [...interpolation(cells!, samples!, "corners", otherWasCut ? span : undefined).data].map(Number);
  });
  return float32([n!, samples!, cells!], rows.flat());
}
