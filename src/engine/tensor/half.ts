/** IEEE half precision: 1 bit of sign, 5 of exponent, 10 of fraction. */
export function fromHalf(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0x1f) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

/** The nearest half, as bits; of two equally near the even one. What is too large becomes infinite. */
export function toHalf(value: number): number {
  if (Number.isNaN(value)) return 0x7e00;
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  const size = Math.abs(value);
  if (size >= 65520) return sign | 0x7c00;
  // Below 2^-14 halves are evenly spaced, as far apart as the smallest of them.
  const exponent = Math.max(-14, Math.floor(Math.log2(size)));
  const steps = toEven(size / 2 ** (exponent - 10));
  // Steps count from 0 below 2^-14, from 1024 above; one step too many carries into the exponent by itself.
  return sign | (exponent === -14 ? steps : ((exponent + 14) << 10) + steps);
}

function toEven(value: number): number {
  const low = Math.floor(value);
  const rest = value - low;
  return rest > 0.5 || (rest === 0.5 && low % 2 === 1) ? low + 1 : low;
}
