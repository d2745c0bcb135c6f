import { type Colour, mix, palette, scale, vary } from "../world/colour.js";
import type { World } from "../world/drawing.js";
import { gradient } from "../world/fill.js";
import { lit, UP } from "../world/light.js";
import { bar, blob, ellipse, hull, shrink } from "../world/outline.js";
import type { Spot } from "../world/roadside.js";
import type { SeededRandom } from "../world/seededRandom.js";
import { castShadow, extrude, Frame } from "../world/solid.js";
import { NEAR, type Point } from "../world/view.js";
import { easel } from "./people.js";

/** Felled trunks stacked by the road, cut ends towards us. */
export function timber(
  world: World,
  chance: SeededRandom,
  { u, z, base = 0, rows = 4, wide = 5 }: Spot & { rows?: number; wide?: number },
): void {
  const r = 0.28;
  const frame = new Frame(world, u, z + 2, 0, base);
  castShadow(frame, 4, wide / 2, rows * r * 1.6);
  const item = world.drawing.item("unknown", "thing", z);
  const bark = lit(world.light, [92, 68, 48], [0, 0.6, -0.4], z);
  const ends: Point[][] = [];
  const height = r + rows * r * 1.75;
  const corners = (at: number): Point[] =>
    [
      [-0.5, 0.1],
      [0.5, 0.1],
      [0.5 - (rows * r) / wide, height],
      [-0.5 + (rows * r) / wide, height],
    ].map(([x, h]) => world.view.at(u + x! * wide, base + h!, at));
  item.shape(hull([...corners(z + 0.1), ...corners(z + 5)]), bark);
  for (let row = 0; row < rows; row++) {
    const count = Math.floor(wide / (2 * r)) - row;
    for (let i = 0; i < count; i++) {
      const x = (i - (count - 1) / 2) * 2 * r;
      const h = r + row * r * 1.75;
      const [px, py] = world.view.at(u + x, base + h, z);
      const size = r * world.view.scale(z) * chance.between(0.85, 1.12);
      ends.push(ellipse(px, py, size, size, 9));
    }
  }
  item.shapes(ends, lit(world.light, vary([196, 152, 98], chance, 14), [0, 0, -1], z));
  item.detail(
    ends.map((end) => shrink(end, 0.45)),
    lit(world.light, [150, 104, 62], [0, 0, -1], z),
    0.7,
  );
}

/** A loch, a lake, a pond: flat water beside the road, mirroring the sky. Radii in metres, centred on (u, z). */
export function water(
  world: World,
  chance: SeededRandom,
  { u, z, wide, long, level = 0 }: { u: number; z: number; wide: number; long: number; level?: number },
): void {
  const { view, drawing, light } = world;
  const outline = blob(chance, 0, 0, wide, long, 0.16, 30).map(([a, b]) =>
    view.at(u + a, level, Math.max(NEAR, z + b)),
  );
  const top = Math.min(...outline.map(([, y]) => y));
  const bottom = Math.max(...outline.map(([, y]) => y));
  const [left, right] = [Math.min(...outline.map(([x]) => x)), Math.max(...outline.map(([x]) => x))];
  const item = drawing.item("unknown", "marking", 0.5);
  item.shape(
    outline,
    gradient(top, bottom, [
      [0, scale(light.haze, 0.95)],
      [0.4, mix(scale(light.haze, 0.75), [70, 100, 130], 0.4)],
      [1, mix(scale(light.haze, 0.45), [38, 60, 80], 0.6)],
    ]),
  );
  const ripples = Array.from({ length: 40 }, () => {
    const t = chance.next();
    const [x, y] = [chance.between(left, right), top + (bottom - top) * t];
    return bar([x, y], [x + 20 + 60 * t, y], 1 + 2.5 * t);
  });
  // Ripples must not leave the water.
  item.detail(
    ripples.filter((ripple) => ripple.every((p) => inside(p, outline))),
    lit(light, [225, 232, 238], UP, 30),
    0.45,
  );
}

function inside([x, y]: Point, outline: readonly Point[]): boolean {
  let odd = false;
  for (let i = 0, j = outline.length - 1; i < outline.length; j = i++) {
    const [[xi, yi], [xj, yj]] = [outline[i]!, outline[j]!];
    if (yi > y !== yj > y && x < ((xj - xi) * (y - yi)) / (yj - yi) + xi) odd = !odd;
  }
  return odd;
}

/** Loose gravel or rubble: a bed beside the road, a heap, or a whole track. */
export function gravel(
  world: World,
  chance: SeededRandom,
  { from, to, z0, z1, colour = [150, 142, 130] }: { from: number; to: number; z0: number; z1: number; colour?: Colour },
): void {
  const { view, drawing, light } = world;
  const near = Math.max(NEAR, z0);
  const item = drawing.item("unknown", "marking", 0.4);
  const left: Point[] = [];
  const right: Point[] = [];
  for (let i = 0; i <= 6; i++) {
    const z = near * (z1 / near) ** (i / 6);
    const pinch = 0.5 * Math.abs(i / 3 - 1) ** 3 * (to - from);
    left.push(view.at(from + pinch + chance.between(-0.15, 0.15), 0.02, z));
    right.push(view.at(to - pinch + chance.between(-0.15, 0.15), 0.02, z));
  }
  item.shape([...left, ...right.toReversed()], lit(light, colour, UP, (near + z1) / 2));
  for (const tone of [1.3, 0.6]) {
    const stones = Array.from({ length: 40 }, () => {
      const t = chance.next();
      const z = near * (z1 / near) ** t;
      const pinch = 0.5 * Math.abs(2 * t - 1) ** 3 * (to - from);
      const [x, y] = view.at(chance.between(from + pinch + 0.2, to - pinch - 0.2), 0.02, z);
      const s = Math.max(1.3, view.scale(z) * 0.07);
      return blob(chance, x, y, s * 1.4, s * 0.8, 0.4, 5);
    });
    item.detail(stones, lit(light, scale(colour, tone), UP, near), 0.7);
  }
}

/** A cattle grid: steel bars across the road over a dark pit. */
export function cattleGrid(world: World, { from, to, z }: { from: number; to: number; z: number }): void {
  const { view, drawing, light } = world;
  const item = drawing.item("unknown", "marking", 0.3);
  const strip = (z0: number, z1: number): Point[] => [
    view.at(from, 0, z0),
    view.at(from, 0, z1),
    view.at(to, 0, z1),
    view.at(to, 0, z0),
  ];
  item.shape(strip(z, z + 2.6), lit(light, [44, 42, 40], UP, z));
  item.detail(
    Array.from({ length: 9 }, (_, i) => strip(z + 0.1 + i * 0.28, z + 0.22 + i * 0.28)),
    lit(light, [168, 166, 160], UP, z),
  );
}

/** A tractor or digger at work: yellow or green, big wheels. */
export function tractor(world: World, chance: SeededRandom, { u, z, base = 0 }: Spot): void {
  const frame = new Frame(world, u, z, chance.pick([0, 180, 20, 160, 90]), base);
  castShadow(frame, 3.6, 1, 2.2);
  const item = world.drawing.item("unknown", "thing", z);
  const paint = vary(chance.pick(palette("#2f7d32 #c8a018 #b02a22 #2d5c9e")), chance, 10);
  const tyre = lit(world.light, [28, 27, 26], [0, 0, -1], z);
  const s = world.view.scale(z);
  for (const [a, r] of [
    [-0.9, 0.85],
    [1.2, 0.5],
  ] as const)
    for (const b of [-0.95, 0.95]) item.shape(ellipse(...frame.at(a, b, r), r * s * 0.75, r * s, 12), tyre);
  extrude(
    item,
    frame,
    [
      [-1.2, 0.8],
      [-1.1, 1.5],
      [0.2, 1.5],
      [1.7, 1.4],
      [1.8, 0.7],
    ],
    0.5,
    paint,
  );
  extrude(
    item,
    frame,
    [
      [-1.2, 1.5],
      [-1.1, 2.7],
      [0.1, 2.7],
      [0.3, 1.5],
    ],
    0.7,
    mix(paint, [60, 70, 80], 0.6),
  );
  item.detail([blob(chance, ...frame.at(-0.9, 0, 0.85), 0.25 * s, 0.25 * s, 0.1, 8)], 0xd8b430, 0.5);
}

/** A boulder, taller than a kerb. */
export function boulder(
  world: World,
  chance: SeededRandom,
  { u, z, base = 0, size = 1 }: Spot & { size?: number },
): void {
  const { at, s, paint } = easel(world, u, z, base);
  const item = world.drawing.item("unknown", "thing", z);
  const stone = vary([126, 122, 116], chance, 18);
  item.shape(blob(chance, ...at(0, 0.3 * size), 0.8 * size * s, 0.45 * size * s, 0.3, 9), paint(stone));
  item.detail(
    [blob(chance, ...at(-0.15 * size, 0.45 * size), 0.45 * size * s, 0.2 * size * s, 0.3, 7)],
    paint(scale(stone, 1.25)),
    0.7,
  );
}
