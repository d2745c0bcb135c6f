import type { SeededRandom } from "./seededRandom.js";

/** Left or right of the road. */
export type Side = -1 | 1;

/** Where something stands: metres right of the road's centre line, ahead of us, and above the road. */
export interface Spot {
  readonly u: number;
  readonly z: number;
  readonly base?: number;
}

/** Where something long stands that follows the road from z0 to z1. */
export interface Run {
  readonly u: number;
  readonly z0: number;
  readonly z1: number;
  readonly base?: number;
}

/** Each side of the road with a chance of its own. */
export function bothSides(chance: SeededRandom, draw: (side: Side, chance: SeededRandom) => void): void {
  draw(-1, chance.child("left"));
  draw(1, chance.child("right"));
}

/** The strip between two distances from the centre line, on one side. */
export function beside(side: number, near: number, far: number): { from: number; to: number } {
  return side > 0 ? { from: near, to: far } : { from: -far, to: -near };
}

/** Heights of the left and the right edge of a strip, given those towards the road and away from it. */
export function rising(side: number, near: number, far: number): readonly [left: number, right: number] {
  return side > 0 ? [near, far] : [far, near];
}
