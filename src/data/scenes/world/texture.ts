import { type Colour, css } from "./colour.js";
import { type Drawing, FINE } from "./drawing.js";

export interface Grain {
  readonly colour: Colour;
  /** Bumps per drawing unit, across and down. */
  readonly frequency: readonly [number, number];
  readonly octaves?: number;
  /** How far opacity swings, 0 to about 3. */
  readonly strength: number;
  /** Noise above this (0 to 1) becomes visible. */
  readonly from?: number;
  readonly seed: number;
}

/**
 * A fill of turbulence with see-through gaps, to be laid over a flat colour.
 *
 * Turbulence is the dearest thing in the document, and its cost is the area of the tile, not of what is filled: a small
 * tile repeats (its seams drown in busy surfaces), one as large as the picture never does.
 */
export function grain(
  drawing: Drawing,
  { colour, frequency, octaves = 2, strength, from = 0.4, seed }: Grain,
  tile: { width: number; height: number; y?: number } = { width: 256, height: 128 },
): string {
  const filter = drawing.define(
    (id) =>
      `<filter id="${id}" x="0" y="0" width="1" height="1" color-interpolation-filters="sRGB">` +
      `<feTurbulence type="fractalNoise" baseFrequency="${frequency[0].toFixed(4)} ${frequency[1].toFixed(4)}" numOctaves="${octaves}" seed="${seed}"/>` +
      `<feColorMatrix values="0 0 0 0 ${unit(colour[0])} 0 0 0 0 ${unit(colour[1])} 0 0 0 0 ${unit(colour[2])} ${strength.toFixed(2)} 0 0 0 ${(-strength * from).toFixed(3)}"/></filter>`,
  );
  return drawing.define(
    (id) =>
      `<pattern id="${id}" y="${Math.round(tile.y ?? 0)}" width="${tile.width}" height="${Math.round(tile.height)}" patternUnits="userSpaceOnUse" patternTransform="scale(${FINE})"><rect width="${tile.width}" height="${Math.round(tile.height)}" filter="${filter}"/></pattern>`,
  );
}

/** Colours from top to bottom (or along x1..x2, y1..y2), each with an opacity. */
export function gradient(
  drawing: Drawing,
  from: readonly [number, number],
  to: readonly [number, number],
  stops: readonly (readonly [offset: number, colour: Colour, opacity?: number])[],
): string {
  return drawing.define(
    (id) =>
      `<linearGradient id="${id}" gradientUnits="userSpaceOnUse" gradientTransform="scale(${FINE})" x1="${from[0].toFixed(1)}" y1="${from[1].toFixed(1)}" x2="${to[0].toFixed(1)}" y2="${to[1].toFixed(1)}">${stopTags(stops)}</linearGradient>`,
  );
}

/** A round glow: lamps, the sun, headlights. */
export function halo(
  drawing: Drawing,
  centre: readonly [number, number],
  radius: number,
  stops: readonly (readonly [offset: number, colour: Colour, opacity?: number])[],
): string {
  return drawing.define(
    (id) =>
      `<radialGradient id="${id}" gradientUnits="userSpaceOnUse" gradientTransform="scale(${FINE})" cx="${centre[0].toFixed(1)}" cy="${centre[1].toFixed(1)}" r="${radius.toFixed(1)}">${stopTags(stops)}</radialGradient>`,
  );
}

function stopTags(stops: readonly (readonly [offset: number, colour: Colour, opacity?: number])[]): string {
  return stops
    .map(
      ([offset, colour, opacity = 1]) =>
        `<stop offset="${offset.toFixed(3)}" stop-color="${css(colour)}" stop-opacity="${opacity.toFixed(2)}"/>`,
    )
    .join("");
}

const unit = (channel: number): string => (channel / 255).toFixed(3);
