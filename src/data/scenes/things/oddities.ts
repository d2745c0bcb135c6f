import type { Chance } from "../world/chance.js";
import { type Colour, mix, palette, scale, vary } from "../world/colour.js";
import type { World } from "../world/drawing.js";
import { lit, UP } from "../world/light.js";
import { bar, blob, ellipse, hull, shrink } from "../world/outline.js";
import { box, castShadow, extrude, Frame } from "../world/solid.js";
import { gradient } from "../world/texture.js";
import { NEAR, type Point } from "../world/view.js";
import { easel, softShadow } from "./people.js";

interface Spot {
  readonly u: number;
  readonly z: number;
  readonly base?: number;
}

/** A telephone box: tall, red (or any colour), glazed on every side, with a pale band on top. */
export function telephoneBox(
  world: World,
  chance: Chance,
  { u, z, base = 0, colour = [178, 24, 26] }: Spot & { colour?: Colour },
): void {
  const frame = new Frame(world, u, z, chance.between(-12, 12), base);
  castShadow(frame, 0.9, 0.45, 2.4);
  const item = world.drawing.item("unknown", "thing", z);
  box(item, frame, 0.9, 0.45, 0, 2.45, colour);
  const glass = lit(world.light, [150, 168, 172], [0, 0.2, -1], z);
  const panes: Point[][] = [];
  for (let row = 0; row < 4; row++)
    for (let column = -1; column <= 1; column++) {
      const [b, h] = [column * 0.24, 0.55 + row * 0.38];
      panes.push([
        frame.at(-0.46, b - 0.09, h),
        frame.at(-0.46, b - 0.09, h + 0.3),
        frame.at(-0.46, b + 0.09, h + 0.3),
        frame.at(-0.46, b + 0.09, h),
      ]);
    }
  item.detail(panes, glass);
  item.detail(
    [
      [
        frame.at(-0.46, -0.38, 2.12),
        frame.at(-0.46, -0.38, 2.3),
        frame.at(-0.46, 0.38, 2.3),
        frame.at(-0.46, 0.38, 2.12),
      ],
    ],
    lit(world.light, [238, 232, 215], [0, 0, -1], z),
  );
}

export function postBox(world: World, _chance: Chance, { u, z, base = 0 }: Spot): void {
  const { at, s, paint } = easel(world, u, z, base);
  softShadow(world, u, z, base, 0.35);
  const item = world.drawing.item("unknown", "thing", z);
  item
    .shape(bar(at(0, 0), at(0, 1.45), 0.5 * s), paint([176, 26, 28]))
    .shape(ellipse(...at(0, 1.45), 0.29 * s, 0.14 * s, 10), paint([196, 40, 40]));
  item.detail([bar(at(-0.14, 1.2), at(0.14, 1.2), 0.06 * s), bar(at(0, 0), at(0, 0.15), 0.5 * s)], "#141414");
}

/** A wheelie bin, a row of them on collection day. */
export function bins(world: World, chance: Chance, { u, z, base = 0 }: Spot): void {
  const colours = palette("#2e5a34 #26282c #6b4a2c #2a4f7c #7a7d80");
  for (let i = 0; i < chance.integer(1, 4); i++) {
    const frame = new Frame(world, u, z + i * 0.9, chance.between(-15, 15), base);
    const item = world.drawing.item("unknown", "thing", frame.z);
    const colour = chance.pick(colours);
    extrude(
      item,
      frame,
      [
        [-0.3, 0.05],
        [-0.36, 1.0],
        [0.36, 1.0],
        [0.3, 0.05],
      ],
      0.33,
      colour,
    );
    extrude(
      item,
      frame,
      [
        [-0.4, 1.0],
        [-0.3, 1.12],
        [0.38, 1.1],
        [0.38, 1.0],
      ],
      0.36,
      scale(colour, 0.75),
    );
    castShadow(frame, 0.7, 0.33, 1);
  }
}

/** Felled trunks stacked by the road, cut ends towards us. */
export function timber(
  world: World,
  chance: Chance,
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
  chance: Chance,
  { u, z, wide, long, level = 0 }: { u: number; z: number; wide: number; long: number; level?: number },
): void {
  const { view, drawing, light } = world;
  const outline = blob(chance, 0, 0, wide, long, 0.16, 30).map(([a, b]) =>
    view.at(u + a, level, Math.max(NEAR, z + b)),
  );
  const top = Math.min(...outline.map(([, y]) => y));
  const bottom = Math.max(...outline.map(([, y]) => y));
  const [left, right] = [Math.min(...outline.map(([x]) => x)), Math.max(...outline.map(([x]) => x))];
  const item = drawing.item("unknown", "ground", 0.5);
  item.shape(
    outline,
    gradient(
      drawing,
      [0, top],
      [0, bottom],
      [
        [0, scale(light.haze, 0.95)],
        [0.4, mix(scale(light.haze, 0.75), [70, 100, 130], 0.4)],
        [1, mix(scale(light.haze, 0.45), [38, 60, 80], 0.6)],
      ],
    ),
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
  chance: Chance,
  { from, to, z0, z1, colour = [150, 142, 130] }: { from: number; to: number; z0: number; z1: number; colour?: Colour },
): void {
  const { view, drawing, light } = world;
  const near = Math.max(NEAR, z0);
  const item = drawing.item("unknown", "ground", 0.4);
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
  const item = drawing.item("unknown", "ground", 0.3);
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

/** Cones and a striped barrier around a hole. */
export function cones(world: World, chance: Chance, { u, z, base = 0 }: Spot): void {
  for (let i = 0; i < chance.integer(2, 5); i++) {
    const { at, s, paint } = easel(world, u + chance.between(-0.4, 0.4), z + i * 1.6, base);
    const item = world.drawing.item("unknown", "thing", z + i * 1.6);
    item
      .shape([at(-0.22, 0), at(-0.04, 0.75), at(0.04, 0.75), at(0.22, 0)], paint([226, 86, 26]))
      .shape(bar(at(-0.26, 0.03), at(0.26, 0.03), 0.07 * s), paint([200, 74, 24]));
    item.detail([[at(-0.13, 0.35), at(-0.09, 0.5), at(0.09, 0.5), at(0.13, 0.35)]], paint([240, 240, 236]));
  }
}

/** A bench, seen from the road. */
export function bench(world: World, _chance: Chance, { u, z, base = 0 }: Spot): void {
  const { at, s, paint } = easel(world, u, z, base);
  const item = world.drawing.item("unknown", "thing", z);
  const wood = paint([122, 84, 52]);
  for (const h of [0.45, 0.65, 0.82]) item.shape(bar(at(-0.85, h), at(0.85, h), 0.13 * s), wood);
  for (const x of [-0.7, 0.7]) item.shape(bar(at(x, 0), at(x, 0.9), 0.08 * s), paint([40, 42, 44]));
}

/** A bus shelter or market stall: posts and a bright roof. */
export function stall(world: World, chance: Chance, { u, z, base = 0 }: Spot): void {
  const frame = new Frame(world, u, z, 0, base);
  castShadow(frame, 3, 0.9, 2);
  const item = world.drawing.item("unknown", "thing", z);
  const cloth = vary(chance.pick(palette("#c23b2e #2f7a4f #2d5fa8 #e3b23c #e9e5da")), chance, 12);
  box(item, frame, 2.8, 0.85, 0, 0.95, [130, 98, 66]);
  for (const [a, b] of [
    [-1.4, -0.85],
    [-1.4, 0.85],
    [1.4, -0.85],
    [1.4, 0.85],
  ] as const)
    item.shape(
      bar(frame.at(a, b, 0), frame.at(a, b, 2.2), Math.max(2, 0.07 * world.view.scale(z))),
      lit(world.light, [90, 80, 70], [0, 0, -1], z),
    );
  extrude(
    item,
    frame,
    [
      [-1.6, 2.05],
      [-1.6, 2.25],
      [0, 2.7],
      [1.6, 2.25],
      [1.6, 2.05],
    ],
    1.1,
    cloth,
  );
  item.detail(
    Array.from({ length: 6 }, (_, i) =>
      blob(
        chance,
        ...frame.at(-1.42, -0.7 + i * 0.28, 1.02),
        0.13 * world.view.scale(z),
        0.1 * world.view.scale(z),
        0.2,
        6,
      ),
    ),
    lit(world.light, [206, 120, 40], [0, 0.5, -1], z),
  );
}

/** A tractor or digger at work: yellow or green, big wheels. */
export function tractor(world: World, chance: Chance, { u, z, base = 0 }: Spot): void {
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
  item.detail([blob(chance, ...frame.at(-0.9, 0, 0.85), r2(s), r2(s), 0.1, 8)], "#d8b430", 0.5);
}

const r2 = (s: number): number => 0.25 * s;

/** A boulder, taller than a kerb. */
export function boulder(world: World, chance: Chance, { u, z, base = 0, size = 1 }: Spot & { size?: number }): void {
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
