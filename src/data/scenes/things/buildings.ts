import { type Colour, mix, palette, scale, vary } from "../world/colour.js";
import type { Item, World } from "../world/drawing.js";
import type { Ink } from "../world/fill.js";
import { glowing, lit, type Vector } from "../world/light.js";
import type { SeededRandom } from "../world/seededRandom.js";
import { grain } from "../world/texture.js";
import { NEAR, type Point } from "../world/view.js";

export interface BuildingLook {
  readonly wall: Colour;
  readonly roof: Colour;
  readonly trim: Colour;
  readonly glass: Colour;
  readonly floors: number;
  /** Metres per floor and per window. */
  readonly floor: number;
  readonly bay: number;
  /** Share of a bay and of a floor that is glass. */
  readonly window: readonly [wide: number, high: number];
  readonly top: "flat" | "pitched" | "gable";
  readonly ground: "doors" | "shops" | "windows";
  readonly chimneys?: boolean;
  readonly texture?: { readonly colour: Colour; readonly frequency: readonly [number, number] };
}

/** A patch of upright wall: `at(t, h)` lands t metres along it and h metres up. */
interface Facade {
  readonly at: (t: number, h: number) => Point;
  readonly length: number;
  readonly normal: Vector;
  readonly z: number;
}

/** A house beside the road, its front at `u` (right of us if positive), from z0 to z1, `deep` metres away from the road. */
export function building(
  world: World,
  chance: SeededRandom,
  look: BuildingLook,
  site: { u: number; z0: number; z1: number; deep?: number; base?: number; joined?: boolean },
): void {
  const { view, drawing } = world;
  const { u, deep = 12, base = 0 } = site;
  const z0 = Math.max(NEAR, site.z0);
  if (site.z1 <= z0 + 0.5) return;
  const side = u >= view.camera.offset ? 1 : -1;
  const height = look.floors * look.floor + 0.6;
  const back = u + side * deep;
  const item = drawing.item("building", "thing", site.z1);
  const at = (t: number, h: number): Point => view.at(u, base + h, Math.max(z0, site.z1 - t));
  // In a terrace the nearer neighbour hides most of the end towards us, so it goes without windows.
  const end: Facade = { at: (t, h) => view.at(u + side * t, base + h, z0), length: deep, normal: [0, 0, -1], z: z0 };
  const front: Facade = { at, length: site.z1 - z0, normal: [-side, 0, 0], z: (z0 + site.z1) / 2 };
  roofs(item, world, chance, look, { u, back, z0, z1: site.z1, height, base, side });
  if (site.joined === true)
    item.shape(
      [end.at(0, 0), end.at(0, height), end.at(deep, height), end.at(deep, 0)],
      lit(world.light, look.wall, end.normal, z0),
    );
  else if (z0 > NEAR) facade(item, world, chance.child("end"), look, end, height, false);
  facade(item, world, chance.child("front"), look, front, height, true);
}

function roofs(
  item: Item,
  world: World,
  chance: SeededRandom,
  look: BuildingLook,
  house: { u: number; back: number; z0: number; z1: number; height: number; base: number; side: number },
): void {
  const { view, light } = world;
  const { u, back, z0, z1, height, base, side } = house;
  if (look.top === "flat") return;
  const ridge = base + height + Math.min(4.5, Math.abs(back - u) * 0.32);
  const middle = (u + back) / 2;
  const eaves = base + height;
  const z = (z0 + z1) / 2;
  if (look.chimneys === true) {
    const brick = lit(light, scale(look.wall, 0.8), [-side, 0, -0.5], z);
    for (const share of [0.05, 0.9]) {
      const zc = z0 + (z1 - z0) * share;
      item.shape(
        [
          view.at(middle - 0.8, ridge - 1, zc),
          view.at(middle - 0.8, ridge + 1.3, zc),
          view.at(middle + 0.8, ridge + 1.3, zc),
          view.at(middle + 0.8, ridge - 1, zc),
        ],
        brick,
      );
    }
  }
  if (look.top === "pitched") {
    item.shape(
      [view.at(u, eaves, z0), view.at(u, eaves, z1), view.at(middle, ridge, z1), view.at(middle, ridge, z0)],
      lit(light, vary(look.roof, chance, 8), [-side * 0.6, 0.8, 0], z),
    );
    item.shape(
      [view.at(u, eaves, z0), view.at(middle, ridge, z0), view.at(back, eaves, z0)],
      lit(light, look.wall, [0, 0, -1], z0),
    );
  } else {
    const peak = (z0 + z1) / 2;
    item.shape(
      [view.at(u, eaves, z0), view.at(u, ridge, peak), view.at(u, eaves, z1)],
      lit(light, look.wall, [-side, 0, 0], z),
    );
    item.shape(
      [view.at(u, eaves, z0), view.at(u, ridge, peak), view.at(back, ridge, peak), view.at(back, eaves, z0)],
      lit(light, vary(look.roof, chance, 8), [0, 0.8, -0.6], z0),
    );
  }
}

/** Wall, texture, windows in a grid, ledges, doors or shop windows. */
function facade(
  item: Item,
  world: World,
  chance: SeededRandom,
  look: BuildingLook,
  face: Facade,
  height: number,
  street: boolean,
): void {
  const { light, view } = world;
  const { at, length, normal, z } = face;
  const quad = (t0: number, t1: number, h0: number, h1: number): Point[] => [
    at(t0, h0),
    at(t0, h1),
    at(t1, h1),
    at(t1, h0),
  ];
  const wall = quad(0, length, 0, height);
  item.shape(wall, lit(light, look.wall, normal, z));
  const units = view.scale(z);
  if (look.texture !== undefined && street && z < 20 && units * height > 150) {
    item.detail(
      [wall],
      grain(
        { colour: look.texture.colour, frequency: look.texture.frequency, strength: 2, from: 0.48, seed: 5 },
        { width: 128, height: 128 },
      ),
      0.45,
    );
  }
  if (units * look.floor < 16) return;
  const ledge = lit(light, look.trim, normal, z);
  item.detail(
    [
      quad(0, length, height - 0.5, height),
      ...(look.floors > 2 ? [quad(0, length, look.floor - 0.15, look.floor + 0.15)] : []),
    ],
    ledge,
  );
  const bays = Math.max(1, Math.min(14, Math.floor(length / look.bay)));
  const bay = length / bays;
  const [wide, high] = look.window;
  const panes = new Map<Ink, Point[][]>();
  const frames: Point[][] = [];
  const glass = lit(light, look.glass, normal, z);
  const bright = lit(light, mix(look.glass, light.haze, 0.55), normal, z);
  const curtain = light.night
    ? glowing(light, chance.pick(palette("#ffd078 #ffe6aa")), z)
    : lit(light, [205, 198, 186], normal, z);
  const add = (fill: Ink, outline: Point[]): void => {
    const list = panes.get(fill);
    if (list === undefined) panes.set(fill, [outline]);
    else list.push(outline);
  };
  const first = street && look.ground !== "windows" ? 1 : 0;
  const bayUnits = Math.abs(at(length, 0)[0] - at(0, 0)[0]) / bays;
  if (bayUnits < 5) {
    // Seen so slantwise that windows of a row run together.
    const rows = Array.from({ length: look.floors }, (_, row) => {
      const h0 = row * look.floor + look.floor * (1 - high) * 0.6;
      return quad(0.3, length - 0.3, h0, h0 + high * look.floor);
    });
    item.detail(rows, light.night ? bright : glass, wide);
    return;
  }
  for (let row = first; row < look.floors; row++) {
    for (let column = 0; column < bays; column++) {
      const t0 = (column + (1 - wide) / 2) * bay;
      const h0 = row * look.floor + look.floor * (1 - high) * 0.6;
      const [t1, h1] = [t0 + wide * bay, h0 + high * look.floor];
      if (bayUnits > 12) frames.push(quad(t0 - 0.12, t1 + 0.12, h0 - 0.15, h1 + 0.12));
      add(chance.yes(light.night ? 0.4 : 0.2) ? curtain : chance.yes(0.3) ? bright : glass, quad(t0, t1, h0, h1));
    }
  }
  item.detail(frames, ledge);
  for (const [fill, outlines] of panes) item.detail(outlines, fill);
  if (!street || look.ground === "windows") return;
  const opening: Point[][] = [];
  const signs: Point[][] = [];
  for (let column = 0; column < bays; column += look.ground === "shops" ? 2 : 1) {
    const t0 = column * bay + bay * 0.15;
    if (look.ground === "shops") {
      const t1 = Math.min(length - 0.2, t0 + bay * 1.7);
      opening.push(quad(t0, t1, 0.4, look.floor * 0.72));
      signs.push(quad(t0, t1, look.floor * 0.76, look.floor * 0.95));
    } else if (chance.yes(0.45)) opening.push(quad(t0 + bay * 0.2, t0 + bay * 0.2 + 1, 0, 2.2));
  }
  const door = vary(chance.pick(palette("#3c281e #1e3c50 #781e1e #28462d")), chance, 15);
  item.detail(
    opening,
    light.night && look.ground === "shops"
      ? curtain
      : lit(light, look.ground === "shops" ? scale(look.glass, 0.8) : door, normal, z),
  );
  item.detail(
    signs,
    lit(light, vary(chance.pick(palette("#b42828 #285096 #e6be3c #287846 #ebebe6")), chance, 20), normal, z),
  );
}

interface TerraceSite {
  /** Where the fronts stand, how far the row goes, how wide a house is, how often one is missing. */
  readonly u: number;
  readonly far: number;
  readonly width: readonly [number, number];
  readonly gaps: number;
  /** Height of the pavement they stand on: sunk by a kerb they would hide a metre or two of it. */
  readonly base: number;
  readonly deep?: number;
}

/** Houses shoulder to shoulder along one side, with now and then a gap for a side street. */
export function terrace(
  world: World,
  chance: SeededRandom,
  looks: (chance: SeededRandom) => BuildingLook,
  { u, far, width, gaps, base, deep = 12 }: TerraceSite,
): void {
  let z = chance.between(0, width[0]) - 8;
  let joined = false;
  for (let i = 0; z < far && i < 24; i++) {
    const draw = chance.child(i);
    const z1 = z + draw.between(width[0], width[1]);
    const built = !draw.yes(gaps);
    if (built) building(world, draw, looks(draw), { u, z0: z, z1, deep, base, joined });
    joined = built && z > 0;
    z = z1;
  }
}
