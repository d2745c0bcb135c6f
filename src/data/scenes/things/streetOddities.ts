import { type Colour, palette, scale, vary } from "../world/colour.js";
import type { World } from "../world/drawing.js";
import { lit } from "../world/light.js";
import { bar, blob, ellipse } from "../world/outline.js";
import type { Spot } from "../world/roadside.js";
import type { SeededRandom } from "../world/seededRandom.js";
import { box, castShadow, extrude, Frame } from "../world/solid.js";
import type { Point } from "../world/view.js";
import { easel, softShadow } from "./people.js";

/** A telephone box: tall, red (or any colour), glazed on every side, with a pale band on top. */
export function telephoneBox(
  world: World,
  chance: SeededRandom,
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

export function postBox(world: World, _chance: SeededRandom, { u, z, base = 0 }: Spot): void {
  const { at, s, paint } = easel(world, u, z, base);
  softShadow(world, u, z, base, 0.35);
  const item = world.drawing.item("unknown", "thing", z);
  item
    .shape(bar(at(0, 0), at(0, 1.45), 0.5 * s), paint([176, 26, 28]))
    .shape(ellipse(...at(0, 1.45), 0.29 * s, 0.14 * s, 10), paint([196, 40, 40]));
  item.detail([bar(at(-0.14, 1.2), at(0.14, 1.2), 0.06 * s), bar(at(0, 0), at(0, 0.15), 0.5 * s)], 0x141414);
}

/** A wheelie bin, a row of them on collection day. */
export function bins(world: World, chance: SeededRandom, { u, z, base = 0 }: Spot): void {
  const colours = palette("#2e5a34 #26282c #6b4a2c #2a4f7c #7a7d80");
  for (const i of chance.times(1, 4)) {
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

/** Cones and a striped barrier around a hole. */
export function cones(world: World, chance: SeededRandom, { u, z, base = 0 }: Spot): void {
  for (const i of chance.times(2, 5)) {
    const { at, s, paint } = easel(world, u + chance.between(-0.4, 0.4), z + i * 1.6, base);
    const item = world.drawing.item("unknown", "thing", z + i * 1.6);
    item
      .shape([at(-0.22, 0), at(-0.04, 0.75), at(0.04, 0.75), at(0.22, 0)], paint([226, 86, 26]))
      .shape(bar(at(-0.26, 0.03), at(0.26, 0.03), 0.07 * s), paint([200, 74, 24]));
    item.detail([[at(-0.13, 0.35), at(-0.09, 0.5), at(0.09, 0.5), at(0.13, 0.35)]], paint([240, 240, 236]));
  }
}

/** A bench, seen from the road. */
export function bench(world: World, _chance: SeededRandom, { u, z, base = 0 }: Spot): void {
  const { at, s, paint } = easel(world, u, z, base);
  const item = world.drawing.item("unknown", "thing", z);
  const wood = paint([122, 84, 52]);
  for (const h of [0.45, 0.65, 0.82]) item.shape(bar(at(-0.85, h), at(0.85, h), 0.13 * s), wood);
  for (const x of [-0.7, 0.7]) item.shape(bar(at(x, 0), at(x, 0.9), 0.08 * s), paint([40, 42, 44]));
}

/** A bus shelter or market stall: posts and a bright roof. */
export function stall(world: World, chance: SeededRandom, { u, z, base = 0 }: Spot): void {
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
