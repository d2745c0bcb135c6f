import type { ClassName } from "../world/classes.js";
import { type Colour, mix, scale } from "../world/colour.js";
import type { World } from "../world/drawing.js";
import { gradient, halo } from "../world/fill.js";
import { lit, TOWARDS_US } from "../world/light.js";
import { ellipse } from "../world/outline.js";
import type { SeededRandom } from "../world/seededRandom.js";
import { grain } from "../world/texture.js";
import type { Point } from "../world/view.js";

export interface SkyLook {
  readonly top: Colour;
  readonly bottom: Colour;
  /** Cloud colour and how much of the sky it covers, 0 to 1. */
  readonly cloud: Colour;
  readonly cover: number;
  /** Does the sun stand in the image? */
  readonly glare?: boolean;
}

export function sky(world: World, chance: SeededRandom, look: SkyLook): void {
  const { drawing, view, light } = world;
  const floor = Math.min(view.height, Math.max(view.horizon, view.height * 0.15) + 12);
  const item = drawing.item("sky", "sky", 0);
  item.shape(
    rectangle(-10, -10, view.width + 10, view.height + 10),
    gradient(0, floor, [
      [0, look.top],
      [1, look.bottom],
    ]),
  );
  if (look.cover > 0) {
    const from = 0.62 - 0.42 * look.cover;
    const size = chance.between(0.7, 1.5);
    const frequency = [0.0045 * size, 0.013 * size] as const;
    const fill = grain(
      { colour: look.cloud, frequency, strength: 4.5, from, seed: chance.integer(1, 999) },
      { width: view.width, height: floor },
    );
    item.detail([rectangle(0, 0, view.width, floor)], fill, 0.9);
  }
  if (look.glare === true) {
    const [x, y] = view.at(light.sun[0] * 900, light.sun[1] * 900, Math.max(300, light.sun[2] * 900));
    const fill = halo([x, y], 420, [
      [0, [255, 252, 235], 1],
      [0.06, [255, 250, 230], 1],
      [0.12, light.directTint, 0.75],
      [0.5, light.directTint, 0.3],
      [1, light.directTint, 0],
    ]);
    item.detail([ellipse(x, y, 430, 430, 24)], fill);
  }
}

export interface RidgeLook {
  readonly class: ClassName;
  readonly colour: Colour;
  /** Metres away, metres high, metres from one bump to the next, 0 (smooth) to 1 (jagged). */
  readonly z: number;
  readonly height: number;
  readonly wave: number;
  readonly rough: number;
  readonly texture?: Colour;
  /** Flat tops and upright sides, as roofs have. */
  readonly stepped?: boolean;
}

/** Hills, far woods: a long ridge across the image behind everything that stands. */
export function ridge(world: World, chance: SeededRandom, look: RidgeLook): void {
  const { drawing, view, light } = world;
  const reach = view.reach(look.z) * 1.1;
  const step = look.wave / 4;
  const phase = [chance.between(0, 7), chance.between(0, 7)] as const;
  const top: Point[] = [];
  const wooded = look.class === "vegetation";
  for (let u = -reach; u <= reach; u += wooded ? reach / 150 : Math.max(step, reach / 90)) {
    const wave = 0.6 + 0.25 * Math.sin(u / look.wave + phase[0]) + 0.15 * Math.sin((2.7 * u) / look.wave + phase[1]);
    // A far wood is a row of round crowns, a hill is a broken line.
    const crown = 0.22 * Math.abs(Math.sin(u / (look.height * 0.5) + phase[1]));
    const edge = wooded ? crown + 0.06 * chance.next() : look.rough * chance.between(-0.25, 0.25);
    const h = look.height * Math.max(0.02, wave + edge);
    if (look.stepped === true && top.length > 0) top.push([view.at(u, h, look.z)[0], top.at(-1)![1]]);
    top.push(view.at(u, h, look.z));
  }
  const outline = [...top, view.at(reach, -60, look.z), view.at(-reach, -60, look.z)];
  const item = drawing.item(look.class, "backdrop", look.z);
  // Hills are seen further than the haze beside the road would let them be.
  const seen = look.z * 0.25;
  item.shape(outline, lit(light, look.colour, [0, 0.6, -0.8], seen));
  if (look.texture !== undefined) {
    item.detail(
      [outline],
      grain({
        colour: mix(look.texture, light.haze, 0.3),
        frequency: [0.02, 0.035],
        strength: 3,
        from: 0.5,
        seed: chance.integer(1, 999),
      }),
      0.6,
    );
  }
  if (look.stepped === true) return;
  // Slopes in light and shade: a second, lower crest line.
  const shade = top.map(
    ([x, y], i) => [x, y + (8 + 10 * Math.abs(Math.sin(i * 1.7 + phase[0]))) * (look.height / 40)] as const,
  );
  item.detail(
    [[...shade, view.at(reach, -60, look.z), view.at(-reach, -60, look.z)]],
    lit(light, scale(look.colour, 0.85), TOWARDS_US, seen),
    0.5,
  );
}

/** A bank of mist or low cloud: hides what it covers, and the label below stays what it was. */
export function mist(
  world: World,
  chance: SeededRandom,
  { colour, y, thick, opacity }: { colour: Colour; y: number; thick: number; opacity: number },
): void {
  const { drawing, view } = world;
  const top: Point[] = [];
  for (let x = -40; x <= view.width + 40; x += 60) top.push([x, y - thick * chance.between(0.6, 1)]);
  const fill = gradient(y - thick, y + thick * 0.8, [
    [0, colour, 0],
    [0.35, colour, opacity],
    [0.65, colour, opacity],
    [1, colour, 0],
  ]);
  drawing.item("sky", "backdrop", 1).detail([[...top, [view.width + 40, y + thick], [-40, y + thick]]], fill);
}

function rectangle(x0: number, y0: number, x1: number, y1: number): Point[] {
  return [
    [x0, y0],
    [x1, y0],
    [x1, y1],
    [x0, y1],
  ];
}
