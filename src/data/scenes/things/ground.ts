import type { ClassName } from "../world/classes.js";
import { type Colour, colourOf, scale } from "../world/colour.js";
import type { World } from "../world/drawing.js";
import { gradient } from "../world/fill.js";
import { lit, UP } from "../world/light.js";
import { blob } from "../world/outline.js";
import { beside, rising, type Side } from "../world/roadside.js";
import type { SeededRandom } from "../world/seededRandom.js";
import { grain } from "../world/texture.js";
import { NEAR, type Point } from "../world/view.js";

/** A stripe of ground along the road, from left to right; leave `from` or `to` out where it has no end. */
export interface Band {
  readonly class: ClassName;
  readonly colour: Colour;
  readonly from?: number;
  readonly to?: number;
  /** Height of the two edges above the road, metres. */
  readonly rise?: readonly [left: number, right: number];
  /** Little marks that make the surface: how many, how large in metres, how much lighter or darker. */
  readonly specks?: {
    readonly count: number;
    readonly size: number;
    readonly contrast: number;
    readonly tall?: boolean;
  };
  /** Large soft patches: repairs in tarmac, bare earth in grass. */
  readonly patches?: { readonly count: number; readonly size: number; readonly colour: Colour };
}

/** Open ground on both sides of a road, and a verge on each side that leads up or down to it. */
export function openLand(
  half: number,
  look: {
    readonly ground: Colour;
    readonly verge: Colour;
    readonly wide: number;
    /** Height of the verge's far edge on each side, and how many times that the ground ends at. */
    readonly climb: (side: Side) => number;
    readonly steep: number;
    readonly surface: Pick<Band, "specks" | "patches">;
  },
): Band[] {
  const { wide, climb, steep, surface } = look;
  const sides = [-1, 1] as const;
  const far = (side: Side): Band => ({
    class: "terrain",
    colour: look.ground,
    ...(side === 1 ? { from: half + wide } : { to: -half - wide }),
    rise: rising(side, climb(side), climb(side) * steep),
    ...surface,
  });
  const near = (side: Side): Band => ({
    class: "terrain",
    colour: look.verge,
    ...beside(side, half, half + wide),
    rise: rising(side, 0, climb(side)),
    ...surface,
  });
  return [...sides.map(far), ...sides.map(near)];
}

const edges = [NEAR, 4, 7, 11, 17, 26, 42, 75, 150, 320, 700] as const;

/** Paint all bands. Each is one outline, and a gradient down the image loses its far end in haze. */
export function ground(world: World, chance: SeededRandom, bands: readonly Band[], far = 700): void {
  const { drawing, view, light } = world;
  const zs = [NEAR * 0.6, ...edges.filter((z) => z > NEAR && z < far), far];
  const [foot, head] = [view.at(0, 0, zs[0]!), view.at(0, 0, far)];
  const along = (z: number): number => {
    const [, y] = view.at(0, 0, z);
    return Math.max(0, Math.min(1, (y - head[1]) / (foot[1] - head[1] || 1)));
  };
  for (const [index, band] of bands.entries()) {
    const draw = chance.child(index);
    const [left, right] = band.rise ?? [0, 0];
    const outline = [
      ...zs.map((z) => view.at(band.from ?? -view.reach(z), left, z)),
      ...zs.toReversed().map((z) => view.at(band.to ?? view.reach(z), right, z)),
    ];
    const stops = zs.toReversed().map((z) => [along(z), colourOf(lit(light, band.colour, UP, z))] as const);
    drawing.item(band.class, "ground", far).shape(outline, gradient(head[1], foot[1], stops));
    surface(world, draw, band, far);
  }
}

/** Patches and specks of one band, sprinkled evenly over the image rather than over the ground. */
function surface(world: World, chance: SeededRandom, band: Band, far: number): void {
  const { drawing, view, light } = world;
  const [left, right] = band.rise ?? [0, 0];
  const somewhere = (): { u: number; h: number; z: number } => {
    const z = 3 / (1 - 0.955 * chance.next()) ** 1.15;
    const depth = Math.min(z, far);
    const from = band.from ?? -view.reach(depth) * 0.75;
    const to = band.to ?? view.reach(depth) * 0.75;
    const share = chance.between(0.04, 0.96);
    return { u: from + (to - from) * share, h: left + (right - left) * share, z: depth };
  };
  if (band.patches !== undefined) {
    const outlines: Point[][] = [];
    for (let i = 0; i < band.patches.count; i++) {
      const { u, h, z } = somewhere();
      const size = band.patches.size * chance.between(0.4, 1.4);
      const narrow =
        band.from !== undefined && band.to !== undefined ? Math.min(size, (band.to - band.from) * 0.3) : size;
      outlines.push(
        blob(chance, 0, 0, narrow, size * 1.6, 0.5, 8).map(([x, y]) =>
          view.at(clamp(u + x, band), h, Math.max(NEAR, z + y)),
        ),
      );
    }
    drawing.item(band.class, "marking", 40).detail(outlines, lit(light, band.patches.colour, UP, 10), 0.5);
  }
  if (band.specks === undefined) return;
  const { count, size, contrast, tall = false } = band.specks;
  for (const tone of [1 + contrast, 1 - contrast]) {
    const marks: Point[][] = [];
    for (let i = 0; i < count / 2; i++) {
      const { u, h, z } = somewhere();
      const [x, y] = view.at(u, h, z);
      const s = Math.max(1.2, view.scale(z) * size * chance.between(0.5, 1.5));
      const wide = tall ? s * 0.35 : s;
      const flat = tall ? chance.between(1.2, 2.6) : chance.between(0.15, 0.5);
      marks.push([
        [x - wide, y],
        [x + chance.between(-0.4, 0.4) * s, y - s * flat],
        [x + wide, y + wide * 0.2],
      ]);
    }
    drawing.item(band.class, "marking", 12).detail(marks, lit(light, scale(band.colour, tone), UP, 12), 0.55);
  }
}

const clamp = (u: number, { from = -1e4, to = 1e4 }: Band): number => Math.max(from, Math.min(to, u));

/** One layer of turbulence over the nearer ground, stretched sideways as perspective would. */
export function groundGrain(
  world: World,
  chance: SeededRandom,
  { colour, strength }: { colour: Colour; strength: number },
): void {
  const { drawing, view } = world;
  const horizon = Math.max(0, view.horizon);
  const top = Math.round(horizon + (view.height - horizon) * 0.35);
  const height = Math.max(20, view.height - top);
  const fill = grain(
    { colour, frequency: [0.014, 0.045], strength, seed: chance.integer(1, 999) },
    { width: view.width, height, y: top },
  );
  drawing.item("road", "marking", 1).detail(
    [
      [
        [0, top],
        [view.width, top],
        [view.width, top + height],
        [0, top + height],
      ],
    ],
    fill,
  );
}

/** A painted stripe on the road from z0 to z1, following its bends. */
export function stripe(
  world: World,
  colour: Colour,
  u: number,
  width: number,
  z0: number,
  z1: number,
  opacity = 0.9,
): void {
  const { drawing, view, light } = world;
  const steps = Math.max(1, Math.min(8, Math.round(z1 / Math.max(z0, 3))));
  const outline: Point[] = [];
  const at = (i: number): number => z0 * (z1 / z0) ** (i / steps);
  for (let i = 0; i <= steps; i++) outline.push(view.at(u - width / 2, 0, at(i)));
  for (let i = steps; i >= 0; i--) outline.push(view.at(u + width / 2, 0, at(i)));
  // Three steps of haze are enough for paint, and let dashes of one step be painted together.
  const middle = (z0 + z1) / 2;
  const seen = middle < 14 ? 8 : middle < 32 ? 22 : 50;
  drawing.item("road", "marking", seen - 7).detail([outline], lit(light, colour, UP, seen), opacity);
}

/** Dashes along a line: `dash` metres painted, `gap` metres bare. */
export function dashes(
  world: World,
  colour: Colour,
  u: number,
  width: number,
  dash: number,
  gap: number,
  start: number,
): void {
  for (let z = NEAR + start; z < 90; z += dash + gap) stripe(world, colour, u, width, z, z + dash);
}

/** Bars along the road, side by side across it: a zebra crossing. */
export function crossing(world: World, colour: Colour, from: number, to: number, z: number): void {
  for (let u = from + 0.3; u < to - 0.3; u += 1) stripe(world, colour, u + 0.25, 0.5, z, z + 3);
}

/** A line across one half of the road. */
export function stopLine(world: World, colour: Colour, from: number, to: number, z: number): void {
  stripe(world, colour, (from + to) / 2, Math.abs(to - from), z, z + 0.45);
}
