/**
 * An exponential mean of the values so far, as TensorBoard has it: `share` of the past in each. It is divided by the weights so far, so that
 * it does not begin at zero.
 */
export function smoothed(values: readonly number[], share: number): number[] {
  if (share === 0) return [...values];
  let [sum, weight] = [0, 0];
  return values.map((value) => {
    sum = share * sum + (1 - share) * value;
    weight = share * weight + (1 - share);
    return sum / weight;
  });
}
