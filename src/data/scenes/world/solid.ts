import type { Colour } from "./colour.js";
import { type Item, turn, type World } from "./drawing.js";
import { lit, type Vector } from "./light.js";
import { hull } from "./outline.js";
import { contactShadow, SUN_SHADOWS, sunShadow } from "./shadow.js";
import { NEAR, type Point } from "./view.js";

/** A thing's own axes on the road: `along` its length, `across` it to the right, up. */
export class Frame {
  readonly #cos: number;
  readonly #sin: number;

  /** Heading in degrees: 0 drives away from us, 180 comes towards us, 90 goes to the right. */
  constructor(
    readonly world: World,
    readonly u: number,
    readonly z: number,
    heading: number,
    readonly base = 0,
  ) {
    this.#cos = Math.cos((heading * Math.PI) / 180);
    this.#sin = Math.sin((heading * Math.PI) / 180);
  }

  at(along: number, across: number, up: number): Point {
    const u = this.u + along * this.#sin + across * this.#cos;
    const z = this.z + along * this.#cos - across * this.#sin;
    return this.world.view.at(u, this.base + up, Math.max(NEAR, z));
  }

  /** Position on the road of a point of the thing. */
  ground(along: number, across: number): readonly [u: number, z: number] {
    return [
      this.u + along * this.#sin + across * this.#cos,
      Math.max(NEAR, this.z + along * this.#cos - across * this.#sin),
    ];
  }

  normal(along: number, across: number, up: number): Vector {
    const length = Math.hypot(along, across, up) || 1;
    return [
      (along * this.#sin + across * this.#cos) / length,
      up / length,
      (along * this.#cos - across * this.#sin) / length,
    ];
  }

  /** The outline if its front is towards us, nothing if we look at its back. Corners go clockwise seen from outside. */
  face(corners: readonly (readonly [along: number, across: number, up: number])[]): Point[] | undefined {
    const outline = corners.map(([along, across, up]) => this.at(along, across, up));
    return turn(outline) > 0 ? outline : undefined;
  }

  /** Side walls: an image drawn in (along, up), put on the left (-1) and right (+1) side if they can be seen. */
  side(which: -1 | 1, half: number, outline: readonly (readonly [along: number, up: number])[]): Point[] | undefined {
    // Is this side towards us at all? A unit square on it tells, whatever way the outline turns.
    const corners = [
      [0, 0],
      [0, 1],
      [1, 1],
      [1, 0],
    ] as const;
    const probe = corners.map(([along, up]) => this.at(which === 1 ? along : -along, which * half, up));
    return turn(probe) > 0 ? outline.map(([along, up]) => this.at(along, which * half, up)) : undefined;
  }
}

/**
 * A side profile (clockwise in along-right, up-up) stretched across: car bodies, roofs, boxes.
 * Draws only the faces turned towards us, each lit by its own direction.
 */
export function extrude(
  item: Item,
  frame: Frame,
  profile: readonly (readonly [along: number, up: number])[],
  half: number,
  colour: Colour,
): void {
  const { light } = frame.world;
  for (let i = 0; i < profile.length; i++) {
    const [a0, h0] = profile[i]!;
    const [a1, h1] = profile[(i + 1) % profile.length]!;
    const outline = frame.face([
      [a0, half, h0],
      [a0, -half, h0],
      [a1, -half, h1],
      [a1, half, h1],
    ]);
    if (outline !== undefined) item.shape(outline, lit(light, colour, frame.normal(h0 - h1, 0, a1 - a0), frame.z));
  }
  for (const which of [-1, 1] as const) {
    const outline = frame.side(which, half, profile);
    if (outline !== undefined) item.shape(outline, lit(light, colour, frame.normal(0, which, 0), frame.z));
  }
}

/** A plain box on the frame, from `bottom` to `top`. */
export function box(
  item: Item,
  frame: Frame,
  length: number,
  half: number,
  bottom: number,
  top: number,
  colour: Colour,
): void {
  const a = length / 2;
  extrude(
    item,
    frame,
    [
      [-a, bottom],
      [-a, top],
      [a, top],
      [a, bottom],
    ],
    half,
    colour,
  );
}

/** The shadow of a box on the ground: dark under the thing, longer where the sun is low. */
export function castShadow(frame: Frame, length: number, half: number, height: number): void {
  const { view, light } = frame.world;
  const a = length / 2;
  const corners = [
    [-a, -half],
    [a, -half],
    [a, half],
    [-a, half],
  ] as const;
  const footprint = corners.map(([along, across]) => frame.ground(along, across));
  contactShadow(
    frame.world,
    corners.map(([along, across]) => frame.at(along * 1.03, across * 1.1, 0)),
  );
  if (light.direct < SUN_SHADOWS) return;
  const reach = Math.min(4, 1 / Math.max(0.15, light.sun[1])) * height;
  const moved = footprint.map(
    ([u, z]) => [u - light.sun[0] * reach, Math.max(NEAR, z - light.sun[2] * reach)] as const,
  );
  sunShadow(
    frame.world,
    hull([...footprint, ...moved]).map(([u, z]) => view.at(u, frame.base, z)),
  );
}
