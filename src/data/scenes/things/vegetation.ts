import { type Colour, scale, vary } from "../world/colour.js";
import type { World } from "../world/drawing.js";
import { lit } from "../world/light.js";
import { bar, blob, ellipse } from "../world/outline.js";
import type { Run, Spot } from "../world/roadside.js";
import type { SeededRandom } from "../world/seededRandom.js";
import { contactShadow, SUN_SHADOWS, sunShadow } from "../world/shadow.js";
import { NEAR, type Point } from "../world/view.js";

export interface TreeLook {
  readonly kind: "round" | "conifer" | "bare" | "palm";
  readonly leaf: Colour;
  readonly bark: Colour;
  readonly height: number;
  /** Crown width as a share of height. */
  readonly spread: number;
}

export function tree(world: World, chance: SeededRandom, look: TreeLook, { u, z, base = 0 }: Spot): void {
  const { view, drawing, light } = world;
  const s = view.scale(z);
  const [x, y] = view.at(u, base, z);
  const tall = look.height * s;
  if (tall < 4) return;
  const item = drawing.item("vegetation", "thing", z);
  const bark = lit(light, look.bark, [0, 0.2, -1], z);
  treeShadow(world, look, u, z, base);
  const lean = chance.between(-0.04, 0.04) * tall;
  if (look.kind === "bare") {
    branches(world, chance, look, x, y, tall, z);
    return;
  }
  item.shape(bar([x, y + 2], [x + lean, y - tall * 0.6], tall * 0.055, tall * 0.025), bark);
  item.detail(
    [bar([x + tall * 0.012, y], [x + lean + tall * 0.006, y - tall * 0.5], tall * 0.018)],
    lit(light, scale(look.bark, 0.6), [0, 0.2, -1], z),
    0.8,
  );
  if (look.kind === "conifer" && z > 11) {
    conifer(world, chance, look, x + lean, y, tall, z);
    return;
  }
  if (look.kind === "palm") {
    for (let i = 0; i < 9; i++) {
      const angle = Math.PI * (0.05 + i * 0.115) + Math.PI;
      const tip: Point = [
        x + lean + Math.cos(angle) * tall * look.spread * 0.6,
        y - tall * 0.6 + Math.sin(angle) * tall * 0.2 + tall * 0.08,
      ];
      item.shape(
        bar([x + lean, y - tall * 0.62], tip, tall * 0.05, 1),
        lit(light, vary(look.leaf, chance, 14), [0, 0.7, -0.7], z),
      );
    }
    return;
  }
  const [cx, cy, rx, ry] = [x + lean, y - tall * 0.66, (tall * look.spread) / 2, tall * 0.34];
  const lumps = Array.from({ length: tall > 60 ? 6 : 3 }, () => {
    const angle = chance.between(0, 2 * Math.PI);
    return [
      cx + Math.cos(angle) * rx * 0.5,
      cy + Math.sin(angle) * ry * 0.45,
      rx * chance.between(0.4, 0.62),
      ry * chance.between(0.45, 0.6),
    ] as const;
  });
  const crown = [blob(chance, cx, cy, rx, ry, 0.2), ...lumps.map(([lx, ly, a, b]) => blob(chance, lx, ly, a, b, 0.28))];
  item.shapes(crown, lit(light, scale(look.leaf, 0.78), [0, 0.3, -1], z));
  // Lit lumps sit on the sun's side of each shaded one.
  const [dx, dy] = [light.sun[0] * 0.22, -0.2];
  const bright = lumps.map(([lx, ly, a, b]) => blob(chance, lx + dx * a, ly + dy * b, a * 0.75, b * 0.7, 0.35));
  item.detail(bright, lit(light, look.leaf, [light.sun[0] * 0.6, 0.8, -0.2], z), 0.75);
  foliage(
    world,
    chance,
    item,
    look.leaf,
    { cx, cy, rx: rx * 1.02, ry: ry * 1.02 },
    z,
    tall < 24 ? 0 : Math.min(34, Math.round(tall / 7)),
  );
}

/** Leaf-sized light and dark specks over an oval. */
function foliage(
  world: World,
  chance: SeededRandom,
  item: ReturnType<World["drawing"]["item"]>,
  leaf: Colour,
  oval: { cx: number; cy: number; rx: number; ry: number },
  z: number,
  count: number,
): void {
  if (count === 0) return;
  const size = Math.max(2, Math.min(9, oval.rx * 0.13));
  for (const tone of [1.35, 0.5]) {
    const marks = Array.from({ length: count }, () => {
      const angle = chance.between(0, 2 * Math.PI);
      const r = Math.sqrt(chance.next()) * 0.85;
      return blob(
        chance,
        oval.cx + Math.cos(angle) * r * oval.rx,
        oval.cy + Math.sin(angle) * r * oval.ry,
        size * chance.between(0.5, 1.3),
        size * chance.between(0.4, 0.9),
        0.4,
        size < 6 ? 4 : 5,
      );
    });
    item.detail(marks, lit(world.light, scale(leaf, tone), [0, 0.7, -0.7], z), 0.6);
  }
}

function conifer(
  world: World,
  chance: SeededRandom,
  look: TreeLook,
  x: number,
  y: number,
  tall: number,
  z: number,
): void {
  const item = world.drawing.item("vegetation", "thing", z);
  const tiers = tall > 80 ? 9 : 5;
  const widest = (tall * Math.min(0.42, look.spread)) / 2;
  const sunny = Math.sign(world.light.sun[0]) || 1;
  const bright: Point[][] = [];
  for (let i = 0; i < tiers; i++) {
    const bottom = y - tall * (0.08 + (0.8 * i) / tiers);
    const half = widest * (1 - i / (tiers + 0.6)) * chance.between(0.85, 1.1);
    const outline: Point[] = [[x, bottom - (tall * 1.5) / tiers]];
    for (let k = 0; k <= 10; k++) {
      const drop = (k % 2 === 0 ? 0.025 : -0.015) * tall * chance.between(0.4, 1);
      outline.push([x + half * (1 - k / 5), bottom + drop]);
    }
    item.shape(outline, lit(world.light, scale(look.leaf, 0.72 + 0.22 * chance.next()), [0, 0.4, -0.9], z));
    bright.push([
      [x + sunny * half * 0.1, bottom - (tall * 1.2) / tiers],
      [x + sunny * half * 0.85, bottom],
      [x + sunny * half * 0.3, bottom - tall * 0.02],
    ]);
  }
  item.detail(bright, lit(world.light, scale(look.leaf, 1.2), [sunny, 0.5, 0], z), 0.5);
}

function branches(
  world: World,
  chance: SeededRandom,
  look: TreeLook,
  x: number,
  y: number,
  tall: number,
  z: number,
): void {
  const item = world.drawing.item("vegetation", "thing", z);
  const outlines: Point[][] = [];
  const grow = (from: Point, angle: number, length: number, width: number, level: number): void => {
    const to: Point = [from[0] + Math.cos(angle) * length, from[1] + Math.sin(angle) * length];
    outlines.push(bar(from, to, width, width * 0.6));
    if (level === 0) return;
    for (const turn of [-0.55, 0.1, 0.6])
      grow(to, angle + turn + chance.between(-0.25, 0.25), length * chance.between(0.55, 0.75), width * 0.6, level - 1);
  };
  grow([x, y + 2], -Math.PI / 2 + chance.between(-0.06, 0.06), tall * 0.36, tall * 0.06, tall > 50 ? 3 : 2);
  item.shapes(outlines, lit(world.light, look.bark, [0, 0.3, -1], z));
}

function treeShadow(world: World, look: TreeLook, u: number, z: number, base: number): void {
  const { view, light } = world;
  const [x, y] = view.at(u, base, z);
  const s = view.scale(z);
  contactShadow(world, ellipse(x, y, look.height * 0.06 * s, look.height * 0.015 * s, 8));
  if (light.direct < SUN_SHADOWS || look.kind === "bare") return;
  const reach = Math.min(3, 1 / Math.max(0.2, light.sun[1])) * look.height * 0.62;
  const [su, sz] = [u - light.sun[0] * reach, z - light.sun[2] * reach];
  if (sz < NEAR) return;
  const r = (look.height * look.spread) / 2;
  sunShadow(
    world,
    ellipse(0, 0, r, r, 14).map(([a, b]) => view.at(su + a, base, Math.max(NEAR, sz + b * 1.2))),
  );
}

/** A hedge or a wall of bushes along the road: bumpy on top, leafy, dark at its foot. */
export function hedge(
  world: World,
  chance: SeededRandom,
  leaf: Colour,
  { u, z0, z1, height, base = 0 }: Run & { height: number },
): void {
  const { view, drawing, light } = world;
  const near = Math.max(NEAR, z0);
  const steps = Math.max(3, Math.min(14, Math.round(z1 / near) * 3));
  const at = (i: number): number => near * (z1 / near) ** (i / steps);
  const top: Point[] = [];
  const foot: Point[] = [];
  for (let i = 0; i <= steps; i++) {
    top.push(view.at(u + chance.between(-0.2, 0.2), base + height * chance.between(0.82, 1.1), at(i)));
    foot.push(view.at(u, base - 0.04, at(i)));
  }
  const side = u >= view.camera.offset ? -1 : 1;
  const z = (near + Math.min(z1, 40)) / 2;
  const item = drawing.item("vegetation", "thing", z1);
  item.shape([...top, ...foot.toReversed()], lit(light, scale(leaf, 0.85), [side * 0.8, 0.3, -0.4], z));
  const waist = top.map(([x, y], i) => [x, y + (foot[i]![1] - y) * 0.6] as const);
  item.detail([[...waist, ...foot.toReversed()]], lit(light, scale(leaf, 0.5), [side, 0, 0], z), 0.6);
  for (const tone of [1.35, 0.55]) {
    const marks = Array.from({ length: 30 }, () => {
      const zz = chance.distance(near, z1);
      const s = view.scale(zz);
      const [x, y] = view.at(u, base + height * chance.between(0.05, 0.92), zz);
      return blob(chance, x, y, Math.max(2, 0.16 * s), Math.max(1.5, 0.12 * s), 0.5, 5);
    });
    item.detail(marks, lit(light, scale(leaf, tone), [side * 0.6, 0.6, -0.3], z), 0.6);
  }
}

/** A single bush, or a tuft of bracken, heather or gorse. */
export function bush(
  world: World,
  chance: SeededRandom,
  leaf: Colour,
  { u, z, size, base = 0 }: Spot & { size: number },
): void {
  const { view, drawing, light } = world;
  const s = view.scale(z) * size;
  const [x, y] = view.at(u, base, z);
  if (s < 4) return;
  const item = drawing.item("vegetation", "thing", z);
  item.shapes(
    [
      blob(chance, x, y - s * 0.35, s * 0.6, s * 0.45, 0.3),
      blob(chance, x + s * 0.35, y - s * 0.25, s * 0.4, s * 0.32, 0.3),
    ],
    lit(light, scale(leaf, 0.8), [0, 0.4, -1], z),
  );
  if (s > 10)
    foliage(world, chance, item, leaf, { cx: x + s * 0.1, cy: y - s * 0.35, rx: s * 0.6, ry: s * 0.38 }, z, 10);
}
