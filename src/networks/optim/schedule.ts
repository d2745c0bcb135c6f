/** Learning rate at each step, as a share of the full one. Steps count from 1. */
export interface Schedule {
  /** Steps over which the rate rises from nothing. */
  readonly warmUp: number;
  /** Exponent of the decay to zero at the last step; 0 keeps the rate. */
  readonly power: number;
}

/** "Poly" decay with a linear warm-up: the share (1 - done / steps)^power, DeepLab's usual one with power 0.9. */
export function shareOfRate(step: number, steps: number, { warmUp, power }: Schedule): number {
  const risen = warmUp === 0 ? 1 : Math.min(1, step / warmUp);
  return risen * (1 - (step - 1) / steps) ** power;
}
