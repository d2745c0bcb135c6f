import { type Colour, palette, scale } from "../world/colour.js";
import type { World } from "../world/drawing.js";
import { halo } from "../world/fill.js";
import { glowing, lit, type Vector } from "../world/light.js";
import { bar, blob, ellipse } from "../world/outline.js";
import type { Run, Spot } from "../world/roadside.js";
import type { SeededRandom } from "../world/seededRandom.js";
import { NEAR, type Point } from "../world/view.js";
import { easel, softShadow } from "./people.js";

/** A street lamp with an arm over the road, or a plain post if `arm` is 0. */
export function lamp(
  world: World,
  chance: SeededRandom,
  colour: Colour,
  { u, z, base = 0, height, arm }: Spot & { height: number; arm: number },
): void {
  const { at, s, paint } = easel(world, u, z, base);
  const thick = Math.max(3, 0.16 * s);
  const item = world.drawing.item("pole", "thing", z);
  softShadow(world, u, z, base, 0.15);
  item.shape(bar(at(0, 0), at(0, height), thick, thick * 0.7), paint(colour));
  item.detail([bar(at(0.03, 0), at(0.03, height), thick * 0.3)], paint(scale(colour, 0.6)), 0.8);
  if (arm === 0) return;
  item.shape(bar(at(0, height), at(arm, height + 0.25), thick * 0.7), paint(colour));
  item.shape(
    bar(at(arm * 0.75, height + 0.2), at(arm * 1.15, height + 0.25), thick * 1.3),
    world.light.night ? glowing(world.light, [255, 226, 160], z) : paint([205, 205, 200]),
  );
  if (!world.light.night) return;
  const [x, y] = at(arm, height);
  const radius = Math.max(14, 1.8 * s) * chance.between(0.8, 1.2);
  world.drawing.item("sky", "air", z).detail(
    [ellipse(x, y, radius, radius, 14)],
    halo([x, y], radius, [
      [0, [255, 235, 190], 0.9],
      [0.3, [255, 205, 120], 0.4],
      [1, [255, 190, 100], 0],
    ]),
  );
}

export function trafficLight(
  world: World,
  chance: SeededRandom,
  { u, z, base = 0, height = 3, backboard = false }: Spot & { height?: number; backboard?: boolean },
): void {
  const { at, s, paint } = easel(world, u, z, base);
  world.drawing
    .item("pole", "thing", z)
    .shape(bar(at(0, 0), at(0, height), Math.max(3, 0.13 * s)), paint([90, 92, 94]));
  const item = world.drawing.item("traffic light", "thing", z);
  const k = Math.max(1, 16 / (s * 1.1));
  const half = 0.2 * k;
  const top = height + 0.95 * k;
  const box = (grow: number): Point[] => [
    at(-half - grow, height - grow),
    at(-half - grow, top + grow),
    at(half + grow, top + grow),
    at(half + grow, height - grow),
  ];
  if (backboard) item.shape(box(0.12), paint([225, 225, 222]));
  item.shape(box(0), paint([24, 26, 26]));
  const on = chance.integer(0, 2);
  for (const [i, colour] of palette("#eb281e #faaf1e #28d26e").entries()) {
    const [x, y] = at(0, top - (0.16 + 0.31 * i) * k);
    item.detail(
      [ellipse(x, y, 0.12 * k * s, 0.12 * k * s, 8)],
      i === on ? glowing(world.light, colour, z) : paint(scale(colour, 0.3)),
    );
  }
}

export type SignKind = "round" | "triangle" | "blue" | "board" | "diamond" | "stop" | "arrows";

/** A sign on its own post; on a tall one it is still readable from far away. */
export function sign(
  world: World,
  chance: SeededRandom,
  kind: SignKind,
  { u, z, base = 0, height = 2.3, size = 0.42 }: Spot & { height?: number; size?: number },
): void {
  const { at, s, paint } = easel(world, u, z, base);
  const post = Math.max(2.4, 0.08 * s);
  const wide = kind === "board" ? size * 2.4 : size;
  const pole = world.drawing.item("pole", "thing", z);
  pole.shape(bar(at(0, 0), at(0, height), post), paint([140, 142, 144]));
  if (kind === "board") pole.shape(bar(at(wide * 0.7, 0), at(wide * 0.7, height), post), paint([140, 142, 144]));
  const item = world.drawing.item("traffic sign", "thing", z);
  const [x, y] = at(kind === "board" ? wide * 0.35 : 0, height);
  const r = Math.max(5, size * s);
  const polygon = (corners: number, turn: number, k = 1): Point[] =>
    ellipse(0, 0, 1, 1, corners).map(
      ([a, b]) =>
        [
          x + r * k * (a * Math.cos(turn) - b * Math.sin(turn)),
          y + r * k * (a * Math.sin(turn) + b * Math.cos(turn)),
        ] as const,
    );
  const red = paint([200, 28, 30]);
  const white = paint([240, 240, 236]);
  const rectangle = (k: number): Point[] => [
    [x - wide * s * k, y - r * k * 0.8],
    [x + wide * s * k, y - r * k * 0.8],
    [x + wide * s * k, y + r * k * 0.8],
    [x - wide * s * k, y + r * k * 0.8],
  ];
  if (kind === "round")
    item
      .shape(polygon(14, 0), red)
      .detail([polygon(12, 0, 0.72)], white)
      .detail([bar([x - r * 0.25, y], [x + r * 0.25, y], r * 0.3)], 0x222222);
  if (kind === "triangle")
    item.shape(polygon(3, -Math.PI / 2, 1.15), red).detail([polygon(3, -Math.PI / 2, 0.72)], white);
  if (kind === "blue")
    item.shape(polygon(14, 0), paint([28, 84, 170])).detail([bar([x, y + r * 0.5], [x, y - r * 0.5], r * 0.3)], white);
  if (kind === "stop")
    item.shape(polygon(8, Math.PI / 8), red).detail([bar([x - r * 0.6, y], [x + r * 0.6, y], r * 0.35)], white);
  if (kind === "diamond") item.shape(polygon(4, 0), white).detail([polygon(4, 0, 0.55)], paint([30, 30, 30]));
  if (kind === "board")
    item
      .shape(rectangle(1), paint(chance.pick(palette("#16603c #1e50a0 #f0f0ec #e1be28"))))
      .detail(
        [
          bar([x - wide * s * 0.7, y - r * 0.3], [x + wide * s * 0.5, y - r * 0.3], r * 0.18),
          bar([x - wide * s * 0.7, y + r * 0.2], [x + wide * s * 0.2, y + r * 0.2], r * 0.18),
        ],
        paint([235, 235, 235]),
      );
  if (kind === "arrows")
    item.shape(rectangle(1), paint([20, 20, 22])).detail(
      [-0.5, 0, 0.5].map((d) => [
        [x + (d - 0.15) * wide * s * 1.6, y - r * 0.6],
        [x + (d + 0.15) * wide * s * 1.6, y],
        [x + (d - 0.15) * wide * s * 1.6, y + r * 0.6],
      ]),
      white,
    );
}

/** A wall along the road, with stones or courses, and a coping on top. */
export function wall(
  world: World,
  chance: SeededRandom,
  colour: Colour,
  { u, z0, z1, height, base = 0, stones = true }: Run & { height: number; stones?: boolean },
): void {
  const { view, drawing, light } = world;
  const near = Math.max(NEAR, z0);
  const side = u >= view.camera.offset ? -1 : 1;
  const steps = Math.max(2, Math.min(9, Math.round(z1 / near)));
  const at = (i: number): number => near * (z1 / near) ** (i / steps);
  const normal: Vector = [side, 0.1, -0.2];
  const item = drawing.item("wall", "thing", z1);
  for (let i = steps - 1; i >= 0; i--) {
    const [a, b] = [at(i), at(i + 1)];
    const bump = stones ? chance.between(0.94, 1.05) : 1;
    const top = base + height * bump;
    item.shape(
      [view.at(u, base - 0.04, a * 0.99), view.at(u, top, a * 0.99), view.at(u, top, b), view.at(u, base - 0.04, b)],
      lit(light, scale(colour, chance.between(0.95, 1.05)), normal, (a + b) / 2),
    );
    item.shape(
      [
        view.at(u, top, a * 0.99),
        view.at(u, top, b),
        view.at(u - side * 0.4, top, b),
        view.at(u - side * 0.4, top, a * 0.99),
      ],
      lit(light, scale(colour, 1.1), [0, 1, 0], (a + b) / 2),
    );
  }
  if (near > 4)
    item.shape(
      [
        view.at(u, base - 0.04, near),
        view.at(u, base + height, near),
        view.at(u - side * 0.5, base + height, near),
        view.at(u - side * 0.5, base - 0.04, near),
      ],
      lit(light, colour, [0, 0, -1], near),
    );
  for (const tone of [1.22, 0.6]) {
    const marks = Array.from({ length: stones ? 26 : 10 }, () => {
      const z = chance.distance(near, z1);
      const [x, y] = view.at(u, base + height * chance.between(0.08, 0.9), z);
      const s = view.scale(z);
      return stones
        ? blob(chance, x, y, Math.max(1.6, 0.16 * s), Math.max(1.2, 0.1 * s), 0.3, 6)
        : bar([x - 0.35 * s, y], [x + 0.35 * s, y], Math.max(0.8, 0.04 * s));
    });
    item.detail(marks, lit(light, scale(colour, tone), normal, (near + Math.min(z1, 30)) / 2), 0.55);
  }
}

export type FenceKind = "railing" | "panel" | "post-and-rail" | "mesh" | "guard";

/** A fence along the road. Rails and bars are fence; what is seen between them keeps its own label. */
export function fence(
  world: World,
  kind: FenceKind,
  colour: Colour,
  { u, z0, z1, height, base = 0 }: Run & { height: number },
): void {
  const { view, drawing, light } = world;
  const near = Math.max(NEAR, z0);
  const side = u >= view.camera.offset ? -1 : 1;
  const item = drawing.item("fence", "thing", z1);
  const fill = lit(light, colour, [side, 0.2, -0.3], (near + Math.min(z1, 30)) / 2);
  const steps = Math.max(1, Math.min(8, Math.round(z1 / near)));
  const zs = Array.from({ length: steps + 1 }, (_, i) => near * (z1 / near) ** (i / steps));
  const strip = (h0: number, h1: number): Point[] => [
    ...zs.map((z) => view.at(u, base + h0, z)),
    ...zs.toReversed().map((z) => view.at(u, base + h1, z)),
  ];
  const posts = (gap: number, wide: number): Point[][] => {
    const list: Point[][] = [];
    for (let z = near; z < Math.min(z1, 45); z += gap * Math.max(1, z / 14))
      list.push(bar(view.at(u, base, z), view.at(u, base + height, z), Math.max(1.6, wide * view.scale(z))));
    return list;
  };
  if (kind === "panel") item.shape(strip(0, height), fill).detail(posts(0.5, 0.04), 0x000000, 0.3);
  else if (kind === "post-and-rail")
    item.shapes(
      [
        strip(height * 0.78, height * 0.95),
        strip(height * 0.42, height * 0.58),
        strip(height * 0.1, height * 0.22),
        ...posts(2.2, 0.14),
      ],
      fill,
    );
  else if (kind === "guard")
    item
      .shapes([strip(height * 0.45, height), ...posts(3, 0.12)], fill)
      .detail([strip(height * 0.66, height * 0.78)], 0x000000, 0.3);
  else {
    item.shapes(
      [
        strip(height * 0.93, height),
        strip(height * 0.05, height * 0.13),
        ...posts(kind === "mesh" ? 0.45 : 0.28, kind === "mesh" ? 0.07 : 0.09),
      ],
      fill,
    );
  }
}
