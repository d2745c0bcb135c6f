/** A drawing of curves, independent of how it is written down. */
export interface Plot {
  readonly name: string;
  readonly title: string;
  /** One plain sentence on how to read the plot. */
  readonly meaning: string;
  readonly x: Axis;
  readonly y: Axis;
  readonly series: readonly Series[];
  /** What a score that knows nothing would draw. */
  readonly chance: readonly Point[] | null;
  /** Where something begins: a line with a name. */
  readonly marks?: readonly { readonly x: number; readonly label: string }[];
}

export interface Axis {
  readonly label: string;
  readonly from: number;
  readonly to: number;
  /** Names instead of numbers, at 0, 1, 2 … */
  readonly names?: readonly string[];
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Series {
  readonly label: string;
  readonly points: readonly Point[];
  /** Between which values it lies where a point stands for several; drawn as an area behind the curve. */
  readonly band?: readonly Span[];
  /** How it is drawn; its place among the series, solid, when left out. */
  readonly look?: Look;
}

export interface Span {
  readonly x: number;
  readonly low: number;
  readonly high: number;
}

export interface Look {
  /** Which of the colours; past the last they come again, dashed. */
  readonly colour: number;
  readonly dotted: boolean;
}

/** About five round numbers between the ends of an axis, both ends among them where they are round. */
export function ticks({ from, to }: Pick<Axis, "from" | "to">): number[] {
  const rough = (to - from) / 5;
  if (!(rough > 0)) return [from];
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((times) => times * power).find((size) => size >= rough * 0.999)!;
  const first = Math.ceil(from / step - 1e-9);
  const last = Math.floor(to / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, k) => Number(((first + k) * step).toPrecision(12)));
}

/** An axis that has room for values; zero is kept as the floor of what cannot be negative, where it is near. */
export function around(values: readonly number[]): Pick<Axis, "from" | "to"> {
  const low = values.reduce((so, value) => Math.min(so, value), Number.POSITIVE_INFINITY);
  const high = values.reduce((so, value) => Math.max(so, value), Number.NEGATIVE_INFINITY);
  const air = (high - low || Math.abs(high) || 1) * 0.05;
  return { from: low >= 0 && low < (high - low) / 2 ? 0 : low - air, to: high + air };
}
