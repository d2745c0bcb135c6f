import { type Colour, scale } from "../world/colour.js";
import type { World } from "../world/drawing.js";
import { lit, UP } from "../world/light.js";
import { blob } from "../world/outline.js";
import type { SeededRandom } from "../world/seededRandom.js";
import { NEAR, type Point } from "../world/view.js";

/** Branches that meet above the road: foliage hanging into the top of the image. */
export function canopy(
  world: World,
  chance: SeededRandom,
  leaf: Colour,
  { depth, gap }: { depth: number; gap: number },
): void {
  const { drawing, view, light } = world;
  const item = drawing.item("vegetation", "thing", 6.5);
  const clumps: Point[][] = [];
  const bright: Point[][] = [];
  const dark: Point[][] = [];
  for (let x = -40; x <= view.width + 40; x += 46) {
    // Lower at the sides, with a gap of sky above the road.
    const side = Math.abs(x / view.width - 0.5) * 2;
    const reach = view.height * depth * (gap + (1 - gap) * side) * chance.between(0.6, 1.15);
    const r = chance.between(44, 74);
    clumps.push(blob(chance, x, reach * 0.35 - 20, r * 1.1, reach * 0.65 + 16, 0.28, 12));
    for (let k = 0; k < 4; k++) {
      const [lx, ly] = [x + chance.between(-30, 30), chance.between(-10, reach * 0.85)];
      (k % 2 === 0 ? bright : dark).push(blob(chance, lx, ly, chance.between(5, 15), chance.between(4, 11), 0.5, 6));
    }
  }
  item.shapes(clumps, lit(light, scale(leaf, 0.62), [0, 0.1, -1], 7));
  item
    .detail(bright, lit(light, scale(leaf, 1.25), UP, 7), 0.65)
    .detail(dark, lit(light, scale(leaf, 0.35), [0, 0, -1], 7), 0.6);
}

/** Sun through leaves: bright flecks on the road and beside it. */
export function dapples(
  world: World,
  chance: SeededRandom,
  { half, count, opacity }: { half: number; count: number; opacity: number },
): void {
  const { drawing, view, light } = world;
  const flecks = Array.from({ length: count }, () => {
    const z = chance.distance(3.5, 60);
    const u = chance.between(-half * 2, half * 2);
    const r = 0.08 * 4 ** chance.next();
    return blob(chance, 0, 0, r, r * 2.2, 0.4, 7).map(([a, b]) => view.at(u + a, 0, Math.max(NEAR, z + b)));
  });
  drawing.item("road", "shadow", 0.1).detail(flecks, lit(light, [255, 246, 214], UP, 5), opacity);
}

/** Thin slanted streaks in front of everything. */
export function rain(
  world: World,
  chance: SeededRandom,
  { count, slant, opacity }: { count: number; slant: number; opacity: number },
): void {
  const { drawing, view } = world;
  const streaks = Array.from({ length: count }, () => {
    const [x, y, l] = [chance.between(-20, view.width), chance.between(-20, view.height), chance.between(14, 42)];
    return [
      [x, y],
      [x + slant * l, y + l],
      [x + slant * l + 1.6, y + l],
      [x + 1.6, y],
    ] as Point[];
  });
  drawing.item("sky", "air", 1).detail(streaks, 0xe6ecf2, opacity);
}

/** Flakes of all sizes in front of everything. */
export function snowfall(world: World, chance: SeededRandom, count: number): void {
  const { drawing, view } = world;
  const flakes = Array.from({ length: count }, () => {
    const r = chance.between(1.5, 5.5);
    return blob(chance, chance.between(0, view.width), chance.between(0, view.height), r, r, 0.3, 6);
  });
  drawing.item("sky", "air", 1).detail(flakes, 0xf6f8fc, 0.8);
}
