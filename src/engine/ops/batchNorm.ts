import { UserError } from "../../platform/errors.js";
import { constant, type Real, real, type Value } from "../graph/value.js";
import { float32 } from "../tensor/hostTensor.js";
import { show, size, type TensorType } from "../tensor/shape.js";
import { defineOp, defineSingle, requireRank } from "./defineOp.js";
import { add, div, mul, type None, neg, shift as plus, sqrt, sub, scale as times } from "./elementwise.js";
import { sum } from "./reduce.js";
import { cut, reshape } from "./shaping.js";

/** All axes but the channels of an image. */
const PIXELS = [0, 2, 3];

function requireChannels(where: string, x: TensorType, ...vectors: readonly TensorType[]): void {
  requireRank(where, x, 4, "[N, C, H, W]");
  for (const vector of vectors) {
    if (vector.shape.length !== 1 || vector.shape[0] !== x.shape[1]) {
      throw new UserError(`${where}: ${show(vector)} does not give one number for each channel of ${show(x)}`);
    }
  }
}

const repeated = (channels: number, value: number): Value =>
  constant(float32([channels], new Float32Array(channels).fill(value)));

const affineOp = defineSingle<None>({
  opType: "ChannelAffine",
  infer([x, factor, offset], _, where) {
    requireChannels(where, x!, factor!, offset!);
    return x!;
  },
  backward: (dy, { inputs: [x, factor] }) => [
    mul(dy, reshape(factor!, [1, factor!.shape[0]!, 1, 1])),
    sum(mul(dy, x!), PIXELS),
    sum(dy, PIXELS),
  ],
  // Normalising with mean 0 and variance 1 is the fastest multiply-and-add per channel the runtime has.
  emit(to, { inputs }) {
    const [x, factor, offset] = inputs.map((value) => to.name(value));
    const channels = inputs[1]!.shape[0]!;
    const [mean, variance] = [to.name(repeated(channels, 0)), to.name(repeated(channels, 1))];
    to.node("BatchNormalization", [x!, factor!, offset!, mean, variance], { epsilon: real(0) });
  },
});
/** x * factor + offset, one factor and one offset a channel. x [N, C, H, W], factor and offset [C]. */
export const channelAffine = (x: Value, factor: Value, offset: Value): Value => affineOp([x, factor, offset], {});

export interface NormParameters {
  readonly weight: Value;
  readonly bias: Value;
}
export interface NormStatistics {
  readonly mean: Value;
  readonly variance: Value;
}

/** PyTorch's default, added to every variance. */
const EPSILON = 1e-5;

const normOp = defineOp<{ epsilon: Real }>({
  opType: "BatchNormalization",
  infer([x, weight, bias, mean, variance], _, where) {
    requireChannels(where, x!, weight!, bias!, mean!, variance!);
    return [x!, mean!, variance!];
  },
  // dx is dy and x, each times a number per channel, plus a number per channel: two affine passes.
  backward([dy], { inputs: [x, weight], outputs: [, mean, variance], attrs }) {
    if (dy === null || dy === undefined) return [null, null, null, null, null];
    const count = size(x!.shape) / x!.shape[1]!;
    const inverse = div(repeated(x!.shape[1]!, 1), sqrt(plus(variance!, attrs.epsilon.real)));
    const errorSum = sum(dy, PIXELS);
    const weightGradient = mul(inverse, sub(sum(mul(dy, x!), PIXELS), mul(mean!, errorSum)));
    const slope = mul(weight!, inverse);
    const pull = neg(times(mul(mul(slope, inverse), weightGradient), 1 / count));
    const offset = neg(add(times(mul(slope, errorSum), 1 / count), mul(pull, mean!)));
    const dx = add(mul(dy, reshape(slope, [1, x!.shape[1]!, 1, 1])), channelAffine(x!, pull, offset));
    return [dx, weightGradient, errorSum, null, null];
  },
  emit: (to, { inputs, attrs }) =>
    to.node(
      "BatchNormalization",
      inputs.map((value) => to.name(value)),
      { ...attrs, momentum: real(0), training_mode: 1 },
    ),
});

/**
 * Normalise each channel by the mean and variance of this batch.
 *
 * Also returns the batch's statistics (the biased variance), through which nothing flows back.
 */
export function batchNorm(x: Value, { weight, bias }: NormParameters): { y: Value; batch: NormStatistics } {
  // The kernel writes its statistics over the two it is given. So these are computed, not constant; and each from other
  // values, x among them: where the runtime sees the same computation twice, it lets both share one buffer, and of two
  // batches through the same layer one would lose its statistics before the way back.
  const firstPixel = cut(
    x,
    PIXELS.map((axis) => ({ axis, start: 0, end: 1 })),
  );
  const nothing = times(reshape(firstPixel, [x.shape[1]!]), 0);
  const scratch = (of: Value): Value => add(of, nothing);
  const [y, mean, variance] = normOp([x, weight, bias, scratch(weight), scratch(bias)], { epsilon: real(EPSILON) });
  return { y: y!, batch: { mean: mean!, variance: variance! } };
}

/** Normalise each channel by statistics gathered earlier. */
export function frozenBatchNorm(x: Value, { weight, bias }: NormParameters, { mean, variance }: NormStatistics): Value {
  const slope = div(weight, sqrt(plus(variance, EPSILON)));
  return channelAffine(x, slope, sub(bias, mul(mean, slope)));
}

/** Running statistics after one more batch: the share `keep` of the old, the rest of the new (unbiased, as PyTorch does). */
export function movedStatistics(
  old: NormStatistics,
  batch: NormStatistics,
  pixels: number,
  keep: number,
): NormStatistics {
  const unbiased = pixels > 1 ? pixels / (pixels - 1) : 1;
  return {
    mean: add(times(old.mean, keep), times(batch.mean, 1 - keep)),
    variance: add(times(old.variance, keep), times(batch.variance, (1 - keep) * unbiased)),
  };
}
