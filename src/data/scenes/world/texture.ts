import { encode } from "fast-png";
import { type Colour, css } from "./colour.js";
import { type Drawing, FINE } from "./drawing.js";
import { tiledNoise } from "./noise.js";

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
 * A fill of noise with see-through gaps, to be laid over a flat colour; the tile repeats without seams.
 *
 * It is a small picture inside the document. SVG's own turbulence looks the same and costs five times as much: a third of
 * the time of a whole scene went into it.
 */
export function grain(
  drawing: Drawing,
  { colour, frequency, octaves = 2, strength, from = 0.4, seed }: Grain,
  tile: { width: number; height: number; y?: number } = { width: 256, height: 128 },
): string {
  const bumps = [wholeBumps(frequency[0] * tile.width), wholeBumps(frequency[1] * tile.height)] as const;
  const [columns, rows] = [texels(bumps[0], octaves), texels(bumps[1], octaves)];
  const noise = tiledNoise(`grain ${seed}`, { columns, rows, bumps, octaves });
  const data = new Uint8Array(columns * rows * 4);
  for (let i = 0; i < noise.length; i++) {
    // Noise is gathered around a half: pull it apart less than a uniform draw would be.
    const share = strength * (0.5 + (noise[i]! - 0.5) * 0.75 - from);
    for (let c = 0; c < 3; c++) data[4 * i + c] = Math.max(0, Math.min(255, Math.round(colour[c]!)));
    data[4 * i + 3] = Math.max(0, Math.min(255, Math.round(share * 255)));
  }
  const png = encode({ width: columns, height: rows, data, channels: 4, depth: 8 }, { zlib: { level: 1 } });
  const image = Buffer.from(png.buffer, png.byteOffset, png.byteLength).toString("base64");
  const size = `width="${tile.width}" height="${Math.round(tile.height)}"`;
  return drawing.define(
    (id) =>
      `<pattern id="${id}" y="${Math.round(tile.y ?? 0)}" ${size} patternUnits="userSpaceOnUse" patternTransform="scale(${FINE})">` +
      `<image ${size} preserveAspectRatio="none" href="data:image/png;base64,${image}"/></pattern>`,
  );
}

const wholeBumps = (bumps: number): number => Math.max(1, Math.min(24, Math.round(bumps)));

/** Enough samples to show the finest octave. */
function texels(bumps: number, octaves: number): number {
  return Math.max(8, Math.min(64, bumps * 2 ** octaves));
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
