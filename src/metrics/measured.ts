/** A number with the most it can be off because pixels share intervals; or no number, and why. */
export type Measured = Known | Missing;

/** A number with the bounds of its error. */
export interface Known {
  readonly value: number;
  /** The exact value over all pixels is within `value` ± `bound`. */
  readonly bound: number;
}

/** A number that cannot be had, and why. */
export interface Missing {
  readonly value: null;
  readonly reason: string;
}

export const missing = (reason: string): Missing => ({ value: null, reason });

/** The middle of an interval that surely holds the exact value. */
export const between = (least: number, most: number): Known => ({
  value: (least + most) / 2,
  bound: Math.abs(most - least) / 2,
});

/** Why right and wrong cannot be told apart here at all; undefined when there are pixels of both kinds. */
export function oneSided({ rights, wrongs }: { readonly rights: number; readonly wrongs: number }): string | undefined {
  if (rights + wrongs === 0) return "no scored pixel";
  if (wrongs === 0) return "no wrong pixel";
  if (rights === 0) return "no right pixel";
  return undefined;
}
