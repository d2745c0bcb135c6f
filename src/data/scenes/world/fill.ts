import { type Colour, mix } from "./colour.js";

/** A flat colour as painted: 0xrrggbb. */
export type Ink = number;

/** A colour on the way from 0 to 1, solid unless it says otherwise. */
export type Stop = readonly [offset: number, colour: Colour, opacity?: number];

/** Colours from one height of the image to another; drawing units. */
export interface Gradient {
  readonly kind: "gradient";
  readonly top: number;
  readonly bottom: number;
  readonly stops: readonly Stop[];
}

/** A round glow: lamps, the sun, headlights. */
export interface Halo {
  readonly kind: "halo";
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  readonly stops: readonly Stop[];
}

/** One ink, more and less of it: a small map of opacities (0 to 255), stretched over a tile that repeats. */
export interface Grain {
  readonly kind: "grain";
  readonly ink: Ink;
  readonly columns: number;
  readonly rows: number;
  readonly opacity: Uint8Array;
  readonly tile: { readonly width: number; readonly height: number; readonly y: number };
}

/** Whatever an outline can be filled with. */
export type Fill = Ink | Gradient | Halo | Grain;

export function gradient(top: number, bottom: number, stops: readonly Stop[]): Gradient {
  return { kind: "gradient", top, bottom, stops };
}

export function halo([x, y]: readonly [number, number], radius: number, stops: readonly Stop[]): Halo {
  return { kind: "halo", x, y, radius, stops };
}

/** Colour and opacity at a share of the way; before the first stop and after the last one they stay. */
export function between(stops: readonly Stop[], share: number): readonly [Colour, opacity: number] {
  const next = stops.findIndex((stop) => stop[0] > share);
  const [high, after, opacityAfter = 1] = stops.at(next)!;
  if (next <= 0) return [after, opacityAfter];
  const [low, before, opacityBefore = 1] = stops[next - 1]!;
  const t = (share - low) / (high - low);
  return [mix(before, after, t), opacityBefore + (opacityAfter - opacityBefore) * t];
}
