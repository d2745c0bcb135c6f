/**
 * Float32 numbers as unsigned integers in the same order, so that a histogram over "the first so many bits" works for
 * every score there is: near zero, near one, negative or huge, without knowing the range beforehand.
 *
 * Positive numbers already sort like their bit patterns; negative ones sort backwards, so their bits are flipped.
 */

const float = new Float32Array(1);
const bits = new Uint32Array(float.buffer);

/** Bits of an infinity; anything from here up, sign aside, is infinite or not a number. */
export const NOT_FINITE = 0x7f800000;

/** The place of a float32 among all float32 numbers. -0 and +0 share one place, because they are equal. */
function keyOf(value: number): number {
  float[0] = value === 0 ? 0 : value;
  const pattern = bits[0]!;
  return (pattern >>> 31 === 1 ? ~pattern : pattern | 0x80000000) >>> 0;
}

const MINUS_ZERO = 0x7fffffff;

/**
 * The float32 number at a place. The place of -0 is empty; a threshold there would let +0 in, so it means the number below.
 */
export function floatAt(place: number): number {
  const key = place === MINUS_ZERO ? MINUS_ZERO - 1 : place;
  bits[0] = key >>> 31 === 1 ? key & 0x7fffffff : ~key;
  return float[0]!;
}

/**
 * The largest place whose number is at most `threshold`, or -1 when there is none. A float32 score is at most the
 * (float64) threshold exactly when its place is at most this one.
 */
export function keyAtMost(threshold: number): number {
  if (threshold === Number.POSITIVE_INFINITY) return 0xffffffff;
  const rounded = Math.fround(threshold);
  return rounded > threshold ? keyOf(rounded) - 1 : keyOf(rounded);
}
