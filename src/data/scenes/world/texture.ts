import { type Colour, ink } from "./colour.js";
import type { Grain } from "./fill.js";
import { tiledNoise } from "./noise.js";

export interface GrainLook {
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

/** A fill of noise with see-through gaps, to be laid over a flat colour; the tile repeats without seams. */
export function grain(
  { colour, frequency, octaves = 2, strength, from = 0.4, seed }: GrainLook,
  tile: { width: number; height: number; y?: number } = { width: 256, height: 128 },
): Grain {
  const bumps = [wholeBumps(frequency[0] * tile.width), wholeBumps(frequency[1] * tile.height)] as const;
  const [columns, rows] = [texels(bumps[0], octaves), texels(bumps[1], octaves)];
  const noise = tiledNoise(`grain ${seed}`, { columns, rows, bumps, octaves });
  const opacity = new Uint8Array(noise.length);
  for (let i = 0; i < noise.length; i++) {
    // Noise is gathered around a half: pull it apart less than a uniform draw would be.
    const share = strength * (0.5 + (noise[i]! - 0.5) * 0.75 - from);
    opacity[i] = Math.max(0, Math.min(255, Math.round(share * 255)));
  }
  return { kind: "grain", ink: ink(colour), columns, rows, opacity, tile: { y: 0, ...tile } };
}

const wholeBumps = (bumps: number): number => Math.max(1, Math.min(24, Math.round(bumps)));

/** Enough samples to show the finest octave. */
function texels(bumps: number, octaves: number): number {
  return Math.max(8, Math.min(64, bumps * 2 ** octaves));
}
