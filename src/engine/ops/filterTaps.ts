import type { Value } from "../graph/value.js";
import { cut } from "./shaping.js";

/** One tap of a filter: which row and column of the padded image it meets first. */
export interface Tap {
  readonly row: number;
  readonly column: number;
}

/** The taps of a filter, row by row. */
export function taps(kh: number, kw: number, dilation: number): Tap[] {
  return Array.from({ length: kh * kw }, (_, i) => ({
    row: Math.floor(i / kw) * dilation,
    column: (i % kw) * dilation,
  }));
}

/** The pixels one tap meets, for every output pixel. rowAxis is the axis of image rows; columns follow it. */
export function seenBy(
  { row, column }: Tap,
  padded: Value,
  rowAxis: number,
  rows: number,
  columns: number,
  stride: number,
): Value {
  return cut(padded, [
    { axis: rowAxis, start: row, end: row + (rows - 1) * stride + 1, step: stride },
    { axis: rowAxis + 1, start: column, end: column + (columns - 1) * stride + 1, step: stride },
  ]);
}
