import { UserError } from "../../platform/errors.js";

/** Types of elements. */
export type DType = "float32" | "float16" | "int64" | "int32" | "int8" | "uint8" | "bool";
/** Extents of the axes. */
export type Shape = readonly number[];

/** Type of the elements, and extents of the axes. */
export interface TensorType {
  readonly dtype: DType;
  readonly shape: Shape;
}

/** A type that leaves some extents open, each under a name: uint8[1, height, width, 3]. */
export interface OpenType {
  readonly dtype: DType;
  readonly shape: readonly (number | string)[];
}

export const show = (type: OpenType): string => `${type.dtype}[${type.shape.join(", ")}]`;

/** Number of elements. */
export const size = (shape: Shape): number => shape.reduce((product, extent) => product * extent, 1);

export const sameShape = (a: Shape, b: Shape): boolean =>
  a.length === b.length && a.every((extent, i) => extent === b[i]);

/** Whether a shape is one of those that an open type stands for; equal names are equal extents. */
export function fits(shape: Shape, open: OpenType["shape"]): boolean {
  const named = new Map<string, number>();
  return (
    shape.length === open.length &&
    open.every((wanted, i) => {
      const extent = typeof wanted === "number" ? wanted : (named.get(wanted) ?? shape[i]!);
      if (typeof wanted === "string") named.set(wanted, extent);
      return extent === shape[i];
    })
  );
}

/** Axis counted from the front, whichever end the caller counted from. */
export function fromFront(where: string, axis: number, rank: number): number {
  const front = axis < 0 ? axis + rank : axis;
  if (!Number.isInteger(axis) || front < 0 || front >= rank) {
    throw new UserError(`${where}: axis ${axis} does not exist in a tensor of ${rank} axes`);
  }
  return front;
}

/** NumPy's rule: shapes are lined up at their ends; an extent of 1 stretches. */
export function broadcast(where: string, a: TensorType, b: TensorType): Shape {
  const rank = Math.max(a.shape.length, b.shape.length);
  return Array.from({ length: rank }, (_, i) => {
    const left = a.shape[a.shape.length - rank + i] ?? 1;
    const right = b.shape[b.shape.length - rank + i] ?? 1;
    if (left !== right && left !== 1 && right !== 1) {
      throw new UserError(`${where}: ${show(a)} and ${show(b)} do not broadcast`, {
        hint: `axis ${i} is ${left} on the left and ${right} on the right; they must be equal or one of them 1`,
      });
    }
    return left === 1 ? right : left;
  });
}

/** Axes that stretching `from` to `to` repeated, counted in `to`. */
export function stretchedAxes(from: Shape, to: Shape): number[] {
  const lead = to.length - from.length;
  return to.flatMap((extent, i) => (i < lead || (from[i - lead] === 1 && extent !== 1) ? [i] : []));
}

/** Shape without the reduced axes, or with them kept as 1. */
export function reduced(shape: Shape, axes: readonly number[], keep: boolean): Shape {
  return keep ? shape.map((extent, i) => (axes.includes(i) ? 1 : extent)) : shape.filter((_, i) => !axes.includes(i));
}

/** How a window walks over an image; the same in height and width. */
export interface Walk {
  readonly stride: number;
  readonly padding: number;
  readonly dilation: number;
}

/** Output extent of a window that walks over `input` pixels. */
export function windowOutput(
  where: string,
  input: number,
  kernel: number,
  { stride, padding, dilation }: Walk,
): number {
  const reach = (kernel - 1) * dilation + 1;
  const room = input + 2 * padding;
  if (reach > room) {
    throw new UserError(`${where}: the window covers ${reach} pixels but the padded input has ${room}`, {
      hint: "use a smaller dilation, more padding, or a larger crop",
    });
  }
  return Math.floor((room - reach) / stride) + 1;
}
