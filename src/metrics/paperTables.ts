/** A cell of the paper's MaxA_MD and MaxF0.5 tables: "0.679@0.560". */
export interface ValueAtPac {
  readonly value: number;
  readonly pac: number;
}

/** Mean over the rows that have a number; null when none has. */
export function groupMean(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((so, x) => so + x, 0) / known.length;
}

/** Means of both parts of "value @ p(a,c)" cells. */
export function pairMean(cells: readonly (ValueAtPac | null)[]): ValueAtPac | null {
  const known = cells.filter((cell) => cell !== null);
  const value = groupMean(known.map((cell) => cell.value));
  const pac = groupMean(known.map((cell) => cell.pac));
  return value === null || pac === null ? null : { value, pac };
}

/** Domain shift: change from one domain to the next in percent, 100·(to / from - 1). Null when there is nothing to divide by. */
export function changePercent(from: number | null, to: number | null): number | null {
  return from === null || to === null || from === 0 ? null : 100 * (to / from - 1);
}

/**
 * The paper strikes out a MaxA_MD whose p(a,c) prints as 0.000: such a method "detects errors" by calling every pixel
 * uncertain. It is not considered for bold.
 */
export const isDiscounted = ({ pac }: ValueAtPac): boolean => pac.toFixed(3) === "0.000";

/** Indices of the largest value among the rows that count; several when they print alike. */
export function bestRows(
  values: readonly (number | null)[],
  discounted: readonly boolean[] = [],
  digits = 3,
): number[] {
  const printed = values.map((value, i) => (value === null || discounted[i] ? null : value.toFixed(digits)));
  const top = Math.max(...printed.flatMap((text) => (text === null ? [] : [Number(text)])));
  return printed.flatMap((text, i) => (text !== null && Number(text) === top ? [i] : []));
}
