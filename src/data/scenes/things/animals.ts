import { type Colour, palette, scale, vary } from "../world/colour.js";
import type { World } from "../world/drawing.js";
import { bar, blob, ellipse } from "../world/outline.js";
import type { Spot } from "../world/roadside.js";
import type { SeededRandom } from "../world/seededRandom.js";
import { easel, softShadow } from "./people.js";

const coats = palette("#5a3a22 #7a4a28 #3a2a20 #a57b4c #8c8479 #d8d2c4 #1f1a18 #6e5a48");

/** A horse or, at `size` 0.8, a pony: barrel, neck, head, four legs, mane and tail. */
export function horse(
  world: World,
  chance: SeededRandom,
  { u, z, base = 0, size = 1 }: Spot & { size?: number },
): void {
  const { at, s, paint } = easel(world, u, z, base, chance.sign());
  softShadow(world, u, z, base, 0.9 * size);
  const item = world.drawing.item("unknown", "thing", z);
  const coat = vary(chance.pick(coats), chance, 10);
  const dark = paint(scale(coat, 0.55));
  const body = paint(coat);
  const k = size;
  const grazing = chance.yes(0.4);
  for (const x of [-0.62, -0.46, 0.42, 0.58])
    item.shape(
      bar(at(x * k, 0.85 * k), at((x + chance.between(-0.08, 0.08)) * k, 0), 0.17 * k * s, 0.1 * k * s),
      x === -0.62 || x === 0.58 ? body : dark,
    );
  item.shape(blob(chance, ...at(0, 1.1 * k), 0.85 * k * s, 0.36 * k * s, 0.06, 14), body);
  const [hx, hy] = grazing ? [1.25, 0.42] : [1.12, 1.72];
  item.shape(bar(at(0.5 * k, 1.12 * k), at(hx * k, hy * k), 0.46 * k * s, 0.24 * k * s), body);
  item.shape(
    bar(at((hx - 0.08) * k, (hy + 0.08) * k), at((hx + 0.34) * k, (hy - 0.3) * k), 0.24 * k * s, 0.15 * k * s),
    body,
  );
  item.shape(bar(at(-0.8 * k, 1.25 * k), at(-0.98 * k, 0.5 * k), 0.14 * k * s, 0.08 * k * s), dark);
  item.shape(bar(at(0.48 * k, 1.42 * k), at((hx - 0.16) * k, (hy + 0.16) * k), 0.13 * k * s), dark);
  item.detail([blob(chance, ...at(0, 0.92 * k), 0.72 * k * s, 0.16 * k * s, 0.1, 10)], dark, 0.35);
}

export function sheep(world: World, chance: SeededRandom, { u, z, base = 0 }: Spot): void {
  const { at, s, paint } = easel(world, u, z, base, chance.sign());
  softShadow(world, u, z, base, 0.5);
  const item = world.drawing.item("unknown", "thing", z);
  const face = paint(chance.yes(0.6) ? [36, 32, 30] : [210, 200, 185]);
  const wool = vary([212, 205, 190], chance, 16);
  for (const x of [-0.35, -0.2, 0.2, 0.34]) item.shape(bar(at(x, 0.4), at(x, 0), 0.08 * s), face);
  item.shape(blob(chance, ...at(0, 0.6), 0.55 * s, 0.34 * s, 0.16, 14), paint(wool));
  item.shape(blob(chance, ...at(0.56, 0.78), 0.17 * s, 0.15 * s, 0.1, 9), face);
  item.detail(
    Array.from({ length: 8 }, () =>
      blob(chance, ...at(chance.between(-0.4, 0.4), chance.between(0.45, 0.8)), 0.1 * s, 0.07 * s, 0.3, 6),
    ),
    paint(scale(wool, 0.78)),
    0.7,
  );
}

/** A shaggy, horned cow. */
export function cow(
  world: World,
  chance: SeededRandom,
  { u, z, base = 0, coat = [150, 84, 36] }: Spot & { coat?: Colour },
): void {
  const { at, s, paint } = easel(world, u, z, base, chance.sign());
  softShadow(world, u, z, base, 1);
  const item = world.drawing.item("unknown", "thing", z);
  const hide = vary(coat, chance, 18);
  for (const x of [-0.75, -0.5, 0.45, 0.68])
    item.shape(bar(at(x, 0.6), at(x, 0), 0.22 * s, 0.16 * s), paint(scale(hide, 0.7)));
  item.shape(blob(chance, ...at(0, 0.95), 1 * s, 0.48 * s, 0.12, 16), paint(hide));
  item.shape(blob(chance, ...at(1.02, 1.12), 0.3 * s, 0.32 * s, 0.12, 10), paint(scale(hide, 1.1)));
  item
    .shape(bar(at(0.9, 1.36), at(0.62, 1.62), 0.07 * s, 0.03 * s), paint([225, 215, 195]))
    .shape(bar(at(1.14, 1.36), at(1.42, 1.62), 0.07 * s, 0.03 * s), paint([225, 215, 195]));
  item.detail([ellipse(...at(1.14, 0.95), 0.14 * s, 0.1 * s, 8)], paint([205, 150, 130]));
  item.detail(
    Array.from({ length: 9 }, () =>
      bar(
        at(chance.between(-0.8, 0.8), chance.between(0.8, 1.2)),
        at(chance.between(-0.8, 0.8), chance.between(0.5, 0.8)),
        0.05 * s,
      ),
    ),
    paint(scale(hide, 0.75)),
    0.5,
  );
}

export function deer(world: World, chance: SeededRandom, { u, z, base = 0 }: Spot): void {
  const { at, s, paint } = easel(world, u, z, base, chance.sign());
  softShadow(world, u, z, base, 0.6);
  const item = world.drawing.item("unknown", "thing", z);
  const hide = paint(vary([146, 94, 54], chance, 12));
  for (const x of [-0.45, -0.35, 0.35, 0.45]) item.shape(bar(at(x, 0.7), at(x, 0), 0.08 * s, 0.05 * s), hide);
  item.shape(blob(chance, ...at(0, 0.9), 0.58 * s, 0.24 * s, 0.06, 12), hide);
  item
    .shape(bar(at(0.42, 1), at(0.7, 1.42), 0.2 * s, 0.14 * s), hide)
    .shape(bar(at(0.62, 1.46), at(0.95, 1.34), 0.16 * s, 0.09 * s), hide);
  for (const x of [-0.16, 0.1]) item.shape(bar(at(0.66, 1.5), at(0.66 + x, 1.95), 0.04 * s), paint([120, 96, 70]));
  item.detail([ellipse(...at(-0.52, 0.95), 0.07 * s, 0.12 * s, 7)], paint([235, 228, 215]));
}

/** A dog on a walk. */
export function dog(world: World, chance: SeededRandom, { u, z, base = 0 }: Spot): void {
  const { at, s, paint } = easel(world, u, z, base, chance.sign());
  const item = world.drawing.item("unknown", "thing", z);
  const coat = paint(chance.pick(coats));
  for (const x of [-0.25, 0.22]) item.shape(bar(at(x, 0.35), at(x, 0), 0.09 * s), coat);
  item
    .shape(bar(at(-0.35, 0.42), at(0.3, 0.46), 0.22 * s), coat)
    .shape(ellipse(...at(0.4, 0.62), 0.14 * s, 0.12 * s, 8), coat);
  item.shape(bar(at(-0.34, 0.48), at(-0.52, 0.72), 0.06 * s), coat);
}
