import { type Colour, palette, scale, vary } from "../world/colour.js";
import type { Item, World } from "../world/drawing.js";
import type { Ink } from "../world/fill.js";
import { lit } from "../world/light.js";
import { bar, blob, ellipse, ring } from "../world/outline.js";
import type { Spot } from "../world/roadside.js";
import type { SeededRandom } from "../world/seededRandom.js";
import { contactShadow, SUN_SHADOWS } from "../world/shadow.js";
import type { Point } from "../world/view.js";

const clothes = palette(
  "#1d1f27 #2c3e66 #7a1f2b #d9d4c7 #3f5d3a #6b6f76 #c2452d #e0b43c #4a2f57 #25697a #8b6b4a #ece9e4 #a34a7a #101215",
);
const skins = palette("#f0c8a8 #d9a47e #b47b52 #7d4f32 #4f3323");
const hairs = palette("#1b1411 #3a2718 #6d4a2a #a9803f #8d8d8d");

/** Draws in metres around a spot on the ground, in the plane that faces us; `flip` mirrors it. */
export function easel(
  world: World,
  u: number,
  z: number,
  base: number,
  flip = 1,
): { at: (x: number, y: number) => Point; s: number; paint: (colour: Colour) => Ink } {
  return {
    at: (x, y) => world.view.at(u + x * flip, base + y, z),
    s: world.view.scale(z),
    paint: (colour) => lit(world.light, colour, [-0.3 * flip, 0.4, -0.85], z),
  };
}

export interface PersonPlace extends Spot {
  readonly tall?: number;
}

/** Somebody on foot: legs in mid-step, a coat, arms, a head with hair, sometimes a bag. */
export function person(
  world: World,
  chance: SeededRandom,
  { u, z, base = 0, tall = chance.between(1.5, 1.9) }: PersonPlace,
): void {
  const flip = chance.sign();
  const { at, s, paint } = easel(world, u, z, base, flip);
  softShadow(world, u, z, base, 0.35);
  const item = world.drawing.item("person", "thing", z);
  const k = tall / 1.75;
  const legs = paint(vary(chance.pick(clothes), chance, 12));
  const coat = vary(chance.pick(clothes), chance, 14);
  const step = chance.between(0.05, 0.3);
  const coatEnd = chance.pick([0.85, 0.8, 0.6]);
  item.shape(bar(at(-0.06 * k, 0.9 * k), at(-step * k, 0), 0.17 * k * s, 0.12 * k * s), legs);
  item.shape(bar(at(0.06 * k, 0.9 * k), at(step * 0.8 * k, 0), 0.17 * k * s, 0.12 * k * s), legs);
  item.shape(
    [
      at(-0.2 * k, coatEnd * k),
      at(-0.22 * k, 1.42 * k),
      at(-0.1 * k, 1.5 * k),
      at(0.1 * k, 1.5 * k),
      at(0.22 * k, 1.42 * k),
      at(0.2 * k, coatEnd * k),
    ],
    paint(coat),
  );
  const swing = chance.between(-0.2, 0.25);
  item.shape(
    bar(at(0.2 * k, 1.4 * k), at((0.24 + swing) * k, 0.82 * k), 0.11 * k * s, 0.08 * k * s),
    paint(scale(coat, 0.85)),
  );
  item.shape(
    bar(at(-0.2 * k, 1.4 * k), at((-0.24 - swing * 0.6) * k, 0.82 * k), 0.11 * k * s, 0.08 * k * s),
    paint(scale(coat, 0.85)),
  );
  head(item, chance, at(0, 1.62 * k), 0.12 * k * s, paint);
  if (s > 16) {
    const shaded = [at(0.02 * k, coatEnd * k), at(0.02 * k, 1.45 * k), at(0.2 * k, 1.4 * k), at(0.19 * k, coatEnd * k)];
    item.detail([shaded], 0x000000, 0.18);
  }
  if (chance.yes(0.3))
    item.shape(
      [at(0.2 * k, 0.7 * k), at(0.2 * k, 1 * k), at(0.42 * k, 1 * k), at(0.42 * k, 0.7 * k)],
      paint(chance.pick(clothes)),
    );
}

function head(item: Item, chance: SeededRandom, [x, y]: Point, r: number, paint: (colour: Colour) => Ink): void {
  item.shape(ellipse(x, y, r * 0.9, r * 1.1, 10), paint(chance.pick(skins)));
  item.detail([blob(chance, x, y - r * 0.45, r * 0.95, r * 0.75, 0.1, 9)], paint(chance.pick(hairs)));
}

/** A round shadow at somebody's feet, drawn out a little away from the sun. */
export function softShadow(world: World, u: number, z: number, base: number, radius: number): void {
  const s = world.view.scale(z);
  const [x, y] = world.view.at(u, base, z);
  const lean = world.light.direct > SUN_SHADOWS ? -world.light.sun[0] * s * radius * 2 : 0;
  contactShadow(world, ellipse(x + lean / 2, y, radius * s + Math.abs(lean) / 2, radius * 0.28 * s, 10));
}

export interface CyclePlace extends PersonPlace {
  /** Seen from the side or from behind. */
  readonly turned: "side" | "away";
  readonly ridden: boolean;
}

export function bicycle(world: World, chance: SeededRandom, { u, z, base = 0, turned, ridden }: CyclePlace): void {
  const flip = chance.sign();
  const { at, s, paint } = easel(world, u, z, base, flip);
  softShadow(world, u, z, base, turned === "side" ? 0.8 : 0.25);
  const item = world.drawing.item("bicycle", "thing", z);
  const tyre = paint([28, 28, 30]);
  const frame = paint(vary(chance.pick(clothes), chance, 20));
  const thick = Math.max(2.2, 0.06 * s);
  if (turned === "away") {
    item.shape(bar(at(0, 0), at(0, 0.75), 0.1 * s), tyre);
    item.shape(bar(at(-0.28, 1), at(0.28, 1), thick), frame).shape(bar(at(0, 0.7), at(0, 1), thick), frame);
    item.detail([ellipse(...at(0, 0.62), 0.05 * s, 0.05 * s, 6)], paint([200, 30, 30]));
  } else {
    for (const x of [-0.52, 0.52]) {
      const [wx, wy] = at(x, 0.34);
      item.shape(ring(wx, wy, 0.34 * s, 0.34 * s, Math.max(2.4, 0.06 * s)), tyre);
      item.detail(
        [bar(at(x, 0), at(x, 0.68), 0.02 * s), bar(at(x - 0.34, 0.34), at(x + 0.34, 0.34), 0.02 * s)],
        paint([140, 140, 140]),
        0.6,
      );
    }
    for (const [x0, y0, x1, y1] of [
      [-0.52, 0.34, -0.15, 0.82],
      [-0.15, 0.82, 0.38, 0.85],
      [-0.52, 0.34, 0, 0.3],
      [0, 0.3, 0.38, 0.85],
      [0, 0.3, -0.18, 0.95],
      [0.52, 0.34, 0.36, 1.02],
    ] as const)
      item.shape(bar(at(x0, y0), at(x1, y1), thick), frame);
    item
      .shape(bar(at(-0.3, 0.97), at(-0.06, 0.97), thick * 1.3), tyre)
      .shape(bar(at(0.3, 1.04), at(0.48, 1.04), thick), tyre);
  }
  if (ridden) rider(world, chance, { u, z, base, flip, turned, seat: 0.95 });
}

export function motorcycle(world: World, chance: SeededRandom, { u, z, base = 0, turned, ridden }: CyclePlace): void {
  const flip = chance.sign();
  const { at, s, paint } = easel(world, u, z, base, flip);
  softShadow(world, u, z, base, turned === "side" ? 1 : 0.35);
  const item = world.drawing.item("motorcycle", "thing", z);
  const tyre = paint([24, 24, 26]);
  const body = paint(vary(chance.pick(clothes), chance, 25));
  if (turned === "away") {
    item.shape(bar(at(0, 0), at(0, 0.66), 0.18 * s), tyre);
    item.shape([at(-0.24, 0.5), at(-0.2, 0.95), at(0.2, 0.95), at(0.24, 0.5)], body);
    item.shape(bar(at(-0.4, 1.06), at(0.4, 1.06), 0.07 * s), tyre);
    item.detail([[at(-0.1, 0.68), at(-0.1, 0.78), at(0.1, 0.78), at(0.1, 0.68)]], 0xc81e1e);
  } else {
    for (const x of [-0.7, 0.7]) {
      const [wx, wy] = at(x, 0.32);
      item
        .shape(ellipse(wx, wy, 0.32 * s, 0.32 * s), tyre)
        .detail([ellipse(wx, wy, 0.16 * s, 0.16 * s, 8)], paint([150, 150, 152]));
    }
    item.shape(
      [
        at(-0.75, 0.62),
        at(-0.6, 0.85),
        at(0, 0.82),
        at(0.3, 1),
        at(0.55, 0.9),
        at(0.6, 0.55),
        at(0.3, 0.3),
        at(-0.4, 0.3),
      ],
      body,
    );
    item
      .shape(bar(at(-0.5, 0.88), at(0.05, 0.84), 0.12 * s), tyre)
      .shape(bar(at(0.7, 0.32), at(0.42, 1.1), 0.07 * s), paint([120, 120, 124]));
    item.detail([[at(-0.1, 0.3), at(-0.1, 0.55), at(0.25, 0.55), at(0.25, 0.3)]], paint([90, 90, 94]));
  }
  if (ridden) rider(world, chance, { u, z, base, flip, turned, seat: 0.85 });
}

function rider(
  world: World,
  chance: SeededRandom,
  {
    u,
    z,
    base,
    flip,
    turned,
    seat,
  }: { u: number; z: number; base: number; flip: number; turned: "side" | "away"; seat: number },
): void {
  const { at, s, paint } = easel(world, u, z, base, flip);
  const item = world.drawing.item("rider", "thing", z);
  const coat = vary(chance.pick(clothes), chance, 20);
  const legs = paint(vary(chance.pick(clothes), chance, 12));
  if (turned === "away") {
    for (const x of [-0.16, 0.16]) item.shape(bar(at(x * 0.8, seat), at(x, 0.25), 0.17 * s, 0.1 * s), legs);
    item.shape(
      [at(-0.18, seat - 0.06), at(-0.26, seat + 0.5), at(0.26, seat + 0.5), at(0.18, seat - 0.06)],
      paint(coat),
    );
    for (const x of [-1, 1])
      item.shape(bar(at(x * 0.24, seat + 0.46), at(x * 0.34, seat + 0.08), 0.1 * s), paint(scale(coat, 0.85)));
    head(item, chance, at(0, seat + 0.7), 0.13 * s, paint);
  } else {
    item
      .shape(bar(at(-0.15, seat), at(0.12, 0.6), 0.16 * s, 0.12 * s), legs)
      .shape(bar(at(0.12, 0.6), at(0.02, 0.2), 0.12 * s, 0.09 * s), legs);
    item.shape(
      [
        at(-0.28, seat - 0.04),
        at(-0.12, seat + 0.5),
        at(0.1, seat + 0.56),
        at(0.16, seat + 0.4),
        at(-0.04, seat - 0.04),
      ],
      paint(coat),
    );
    item.shape(bar(at(0.06, seat + 0.46), at(0.36, seat + 0.12), 0.1 * s, 0.08 * s), paint(scale(coat, 0.85)));
    head(item, chance, at(0.12, seat + 0.7), 0.13 * s, paint);
  }
  const [hx, hy] = at(turned === "away" ? 0 : 0.12, seat + 0.76);
  if (chance.yes(0.6))
    item.detail([ellipse(hx, hy, 0.14 * s, 0.1 * s, 8)], paint(vary(chance.pick(clothes), chance, 30)));
}
