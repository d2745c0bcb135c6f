import type { ClassName } from "../classes.js";
import type { Chance } from "../world/chance.js";
import { type Colour, palette, scale, vary } from "../world/colour.js";
import type { Item, World } from "../world/drawing.js";
import { glowing, lit } from "../world/light.js";
import { shrink } from "../world/outline.js";
import { castShadow, extrude, Frame } from "../world/solid.js";
import type { Point } from "../world/view.js";

type Profile = readonly (readonly [along: number, up: number])[];

/** Side profiles, from the rear to the front: shares of the length, metres up. */
interface Shape {
  readonly class: ClassName;
  readonly length: number;
  readonly half: number;
  readonly body: Profile;
  /** The part with windows, narrower than the body. */
  readonly cabin?: Profile;
  readonly wheel: number;
  readonly axles: readonly number[];
}

const shapes = {
  hatchback: {
    class: "car",
    length: 3.9,
    half: 0.86,
    wheel: 0.31,
    axles: [0.17, 0.8],
    body: [
      [0, 0.3],
      [0.01, 0.9],
      [0.3, 0.95],
      [0.72, 0.92],
      [0.97, 0.78],
      [1, 0.3],
    ],
    cabin: [
      [0.02, 0.9],
      [0.08, 1.42],
      [0.5, 1.46],
      [0.74, 0.92],
    ],
  },
  saloon: {
    class: "car",
    length: 4.6,
    half: 0.9,
    wheel: 0.32,
    axles: [0.18, 0.81],
    body: [
      [0, 0.3],
      [0, 0.92],
      [0.2, 0.97],
      [0.7, 0.93],
      [0.98, 0.78],
      [1, 0.3],
    ],
    cabin: [
      [0.14, 0.95],
      [0.28, 1.4],
      [0.54, 1.42],
      [0.72, 0.93],
    ],
  },
  estate: {
    class: "car",
    length: 4.7,
    half: 0.9,
    wheel: 0.33,
    axles: [0.18, 0.81],
    body: [
      [0, 0.3],
      [0, 0.95],
      [0.3, 0.98],
      [0.72, 0.95],
      [0.98, 0.8],
      [1, 0.3],
    ],
    cabin: [
      [0.01, 0.95],
      [0.05, 1.46],
      [0.52, 1.48],
      [0.73, 0.95],
    ],
  },
  suv: {
    class: "car",
    length: 4.5,
    half: 0.95,
    wheel: 0.38,
    axles: [0.18, 0.81],
    body: [
      [0, 0.4],
      [0, 1.08],
      [0.3, 1.12],
      [0.72, 1.1],
      [0.98, 0.98],
      [1, 0.4],
    ],
    cabin: [
      [0.01, 1.08],
      [0.05, 1.72],
      [0.55, 1.74],
      [0.75, 1.1],
    ],
  },
  van: {
    class: "car",
    length: 5,
    half: 1,
    wheel: 0.36,
    axles: [0.18, 0.82],
    body: [
      [0, 0.35],
      [0, 2.1],
      [0.62, 2.15],
      [0.78, 1.9],
      [0.9, 1.2],
      [1, 1],
      [1, 0.35],
    ],
  },
  lorry: {
    class: "truck",
    length: 8.5,
    half: 1.22,
    wheel: 0.5,
    axles: [0.12, 0.24, 0.86],
    body: [
      [0, 0.7],
      [0, 3.4],
      [0.74, 3.4],
      [0.75, 0.7],
    ],
    cabin: [
      [0.77, 0.5],
      [0.77, 2.9],
      [0.93, 2.9],
      [1, 1.5],
      [1, 0.5],
    ],
  },
  tipper: {
    class: "truck",
    length: 7,
    half: 1.2,
    wheel: 0.5,
    axles: [0.14, 0.28, 0.84],
    body: [
      [0, 0.9],
      [-0.02, 2.3],
      [0.7, 2.4],
      [0.7, 0.9],
    ],
    cabin: [
      [0.74, 0.5],
      [0.74, 2.7],
      [0.93, 2.7],
      [1, 1.5],
      [1, 0.5],
    ],
  },
  bus: {
    class: "bus",
    length: 11.5,
    half: 1.27,
    wheel: 0.5,
    axles: [0.22, 0.8],
    body: [
      [0, 0.35],
      [0, 3],
      [0.98, 3],
      [1, 1.2],
      [1, 0.35],
    ],
  },
  doubleDecker: {
    class: "bus",
    length: 10.5,
    half: 1.27,
    wheel: 0.5,
    axles: [0.22, 0.8],
    body: [
      [0, 0.35],
      [0, 4.4],
      [0.97, 4.4],
      [1, 1.2],
      [1, 0.35],
    ],
  },
  tram: {
    class: "train",
    length: 27,
    half: 1.25,
    wheel: 0.35,
    axles: [0.15, 0.5, 0.85],
    body: [
      [0, 0.3],
      [0.01, 2.4],
      [0.03, 3.4],
      [0.97, 3.4],
      [0.99, 2.4],
      [1, 0.3],
    ],
  },
} as const satisfies Record<string, Shape>;

export type VehicleKind = keyof typeof shapes;

const paints: readonly Colour[] = palette(
  "#e8e8e6 #d2d5d8 #9aa0a6 #5b6066 #26282b #15161a #7a1717 #b3261e #1d3f78 #2f6db0 #14402b #6f7f4f #c9b79a #8a5a2b #d9a520 #3c6e71 #5a3d6b #c65d21 #f2efe6 #33415c",
);
const liveries: Record<"bus" | "doubleDecker" | "tram" | "lorry" | "tipper", readonly Colour[]> = {
  bus: palette("#d8d8d2 #c7a31d #20538f #8b1e1e #3a7d44 #e4e4e4"),
  doubleDecker: palette("#b3161b #c21f24 #a5141a #23406e"),
  tram: palette("#d9c23a #c9302c #e9e9e4 #2d6a9f #3c7a3c"),
  lorry: palette("#e6e6e2 #c8ccd0 #2c5aa0 #a83232 #3f6f4a #d8b13a #777b80"),
  tipper: palette("#d98e1f #b58a3a #6d7278 #8d2f23"),
};

export interface VehiclePlace {
  readonly u: number;
  readonly z: number;
  /** 0 drives away from us, 180 comes towards us, 90 crosses to the right. */
  readonly heading: number;
  readonly base?: number;
  readonly paint?: Colour;
}

export function vehicle(world: World, chance: Chance, kind: VehicleKind, place: VehiclePlace): void {
  const shape: Shape = shapes[kind];
  const frame = new Frame(world, place.u, place.z, place.heading, place.base ?? 0);
  const paint =
    place.paint ?? vary(chance.pick(kind in liveries ? liveries[kind as keyof typeof liveries] : paints), chance, 14);
  const put = (profile: Profile): Profile => profile.map(([along, up]) => [(along - 0.5) * shape.length, up] as const);
  castShadow(frame, shape.length, shape.half, shape.body.reduce((top, [, up]) => Math.max(top, up), 0) * 0.8);
  const item = world.drawing.item(shape.class, "thing", place.z);
  // Past this distance a car is a few pixels wide and its door handles are nobody's business.
  const close = world.view.scale(place.z) > 18;
  const rims = close ? wheels(item, frame, shape) : [];
  const long = kind === "bus" || kind === "doubleDecker" || kind === "tram";
  // The cabin of a lorry stands before or behind its box, whichever way it faces; a car's sits on top.
  const separate = kind === "lorry" || kind === "tipper";
  const cabinFirst = separate && Math.cos((place.heading * Math.PI) / 180) > 0;
  const cab = (): void => {
    if (shape.cabin !== undefined)
      cabin(
        item,
        frame,
        put(shape.cabin),
        shape.half * (separate ? 0.98 : 0.86),
        separate ? vary(chance.pick(paints), chance, 10) : paint,
      );
  };
  if (cabinFirst) cab();
  extrude(item, frame, put(shape.body), shape.half, paint);
  for (const { outline, hub, tyre, rim } of rims) item.detail([outline], tyre).detail([hub], rim, 0.8);
  if (long) coach(item, frame, shape, kind, chance);
  else if (close && !separate) trim(item, frame, shape, paint);
  else if (close) ribs(item, frame, shape, chance);
  if (!cabinFirst) cab();
  if (close || world.light.night) lamps(item, frame, shape);
}

/** A wheel seen from the side, painted again over the body panels that cover its upper half. */
interface Rim {
  readonly outline: Point[];
  readonly hub: Point[];
  readonly tyre: string;
  readonly rim: string;
}

function wheels(item: Item, frame: Frame, { length, half, wheel, axles }: Shape): Rim[] {
  const { light } = frame.world;
  const tyre = lit(light, [26, 26, 28], [0, 0, -1], frame.z);
  const rim = lit(light, [150, 152, 155], [0, 0, -1], frame.z);
  const rims: Rim[] = [];
  for (const axle of axles) {
    const a = (axle - 0.5) * length;
    const disc = (radius: number): [number, number][] =>
      Array.from({ length: 10 }, (_, i) => [
        a + radius * Math.cos((i * Math.PI) / 5),
        wheel + radius * Math.sin((i * Math.PI) / 5),
      ]);
    for (const which of [-1, 1] as const) {
      const across = which * (half - 0.12);
      item.shape(
        [
          frame.at(a - wheel, across + 0.11, 0),
          frame.at(a - wheel, across - 0.11, 0),
          frame.at(a + wheel, across - 0.11, wheel * 1.6),
          frame.at(a + wheel, across + 0.11, wheel * 1.6),
        ],
        tyre,
      );
      for (const end of [-1, 1])
        item.shape(
          [
            frame.at(a + end * wheel * 0.8, across + 0.12, 0),
            frame.at(a + end * wheel * 0.8, across - 0.12, 0),
            frame.at(a + end * wheel * 0.8, across - 0.12, wheel * 1.5),
            frame.at(a + end * wheel * 0.8, across + 0.12, wheel * 1.5),
          ],
          tyre,
        );
      const outline = frame.side(which, half + 0.01, disc(wheel));
      if (outline === undefined) continue;
      item.shape(outline, tyre);
      rims.push({ outline, hub: frame.side(which, half + 0.01, disc(wheel * 0.55))!, tyre, rim });
    }
  }
  return rims;
}

function cabin(item: Item, frame: Frame, profile: Profile, half: number, paint: Colour): void {
  const { light } = frame.world;
  extrude(item, frame, profile, half, paint);
  const glass = (normal: readonly [number, number, number]): string =>
    lit(light, light.night ? [22, 25, 30] : [58, 70, 82], frame.normal(...normal), frame.z);
  for (let i = 0; i < profile.length - 1; i++) {
    const [[a0, h0], [a1, h1]] = [profile[i]!, profile[i + 1]!];
    if (Math.abs(h1 - h0) < 0.2) continue;
    const pane = frame.face([
      [a0, half, h0],
      [a0, -half, h0],
      [a1, -half, h1],
      [a1, half, h1],
    ]);
    if (pane !== undefined) item.detail([shrink(pane, 0.8)], glass([h0 - h1, 0, a1 - a0]));
  }
  for (const which of [-1, 1] as const) {
    const pane = frame.side(which, half, profile);
    if (pane !== undefined) item.detail([shrink(pane, 0.8)], glass([0, which, 0]));
  }
}

/** Window bands of buses and trams, a stripe, a destination board. */
function coach(item: Item, frame: Frame, { length, half, body }: Shape, kind: VehicleKind, chance: Chance): void {
  const { light } = frame.world;
  const top = Math.max(...body.map(([, up]) => up));
  const decks =
    kind === "doubleDecker"
      ? ([
          [1.2, 2.1],
          [2.9, 3.9],
        ] as const)
      : ([[1.3, top - 0.55]] as const);
  const glass = light.night
    ? glowing(light, [250, 225, 170], frame.z)
    : lit(light, [52, 62, 72], [0, 0.2, -1], frame.z);
  const stripe = lit(light, vary(chance.pick(paints), chance, 10), [0, 0, -1], frame.z);
  for (const which of [-1, 1] as const) {
    const rect = (a0: number, a1: number, h0: number, h1: number): Point[] | undefined =>
      frame.side(which, half, [
        [a0 * length, h0],
        [a0 * length, h1],
        [a1 * length, h1],
        [a1 * length, h0],
      ]);
    for (const [h0, h1] of decks) {
      for (let i = 0; i < 7; i++) {
        const pane = rect(-0.47 + i * 0.135, -0.47 + i * 0.135 + 0.115, h0, h1);
        if (pane !== undefined) item.detail([pane], glass);
      }
    }
    const line = rect(-0.5, 0.5, 0.75, 0.95);
    if (line !== undefined) item.detail([line], stripe);
  }
  for (const end of [-1, 1] as const) {
    for (const [h0, h1] of decks) {
      const a = end * (length / 2) * (end === 1 ? 0.995 : 1);
      const pane = frame.face(
        end === -1
          ? [
              [a, half * 0.85, h0],
              [a, -half * 0.85, h0],
              [a, -half * 0.85, h1],
              [a, half * 0.85, h1],
            ]
          : [
              [a, -half * 0.85, h0],
              [a, half * 0.85, h0],
              [a, half * 0.85, h1],
              [a, -half * 0.85, h1],
            ],
      );
      if (pane !== undefined) item.detail([pane], glass);
    }
    const a = end * (length / 2);
    const board = frame.face(
      end === -1
        ? [
            [a, half * 0.6, top - 0.42],
            [a, -half * 0.6, top - 0.42],
            [a, -half * 0.6, top - 0.15],
            [a, half * 0.6, top - 0.15],
          ]
        : [
            [a, -half * 0.6, top - 0.42],
            [a, half * 0.6, top - 0.42],
            [a, half * 0.6, top - 0.15],
            [a, -half * 0.6, top - 0.15],
          ],
    );
    if (board !== undefined) item.detail([board], "#1c1a14").detail([shrink(board, 0.7)], "#d99a2b", 0.8);
  }
}

/** Doors, sills and reflections of a car. */
function trim(item: Item, frame: Frame, { length, half, body }: Shape, paint: Colour): void {
  const { light } = frame.world;
  const shoulder = body[1]![1];
  for (const which of [-1, 1] as const) {
    const line = (h0: number, h1: number, a0 = -0.48, a1 = 0.46): Point[][] => {
      const outline = frame.side(which, half, [
        [a0 * length, h0],
        [a0 * length, h1],
        [a1 * length, h1],
        [a1 * length, h0],
      ]);
      return outline === undefined ? [] : [outline];
    };
    item.detail(line(0.3, 0.42), lit(light, [20, 20, 22], [0, 0, -1], frame.z), 0.7);
    item.detail(line(shoulder * 0.8, shoulder * 0.9), lit(light, scale(paint, 1.35), [0, 1, 0], frame.z), 0.6);
    if (shoulder > 1.5) item.detail(line(1.3, 1.85, 0.14, 0.32), lit(light, [48, 56, 66], [0, 0, -1], frame.z));
  }
  const a = -length / 2 - 0.01;
  const bumper = frame.face([
    [a, half, 0.3],
    [a, -half, 0.3],
    [a, -half, 0.48],
    [a, half, 0.48],
  ]);
  const plate = frame.face([
    [a, 0.26, 0.55],
    [a, -0.26, 0.55],
    [a, -0.26, 0.68],
    [a, 0.26, 0.68],
  ]);
  if (bumper !== undefined) item.detail([bumper], lit(light, [30, 30, 32], [0, 0, -1], frame.z), 0.8);
  if (plate !== undefined) item.detail([plate], lit(light, [235, 225, 150], [0, 0, -1], frame.z));
  if (shoulder > 1.5) {
    const rear = frame.face([
      [a, half * 0.8, 1.3],
      [a, -half * 0.8, 1.3],
      [a, -half * 0.8, 1.9],
      [a, half * 0.8, 1.9],
    ]);
    if (rear !== undefined) item.detail([rear], lit(light, [50, 58, 68], [0, 0, -1], frame.z));
    const screen = frame.face(
      [
        [length * 0.31, -half * 0.85, 1.85],
        [length * 0.4, -half * 0.85, 1.25],
        [length * 0.4, half * 0.85, 1.25],
        [length * 0.31, half * 0.85, 1.85],
      ]
        .map(([x, y, h]) => [x! + 0.05, y!, h!] as const)
        .toReversed(),
    );
    if (screen !== undefined) item.detail([screen], lit(light, [55, 66, 78], [0, 0.4, -1], frame.z));
  }
}

/** Ribs on a lorry's box. */
function ribs(item: Item, frame: Frame, { length, half, body }: Shape, chance: Chance): void {
  const { light } = frame.world;
  const top = body[1]![1];
  const logo = lit(light, chance.pick(paints), [0, 0, -1], frame.z);
  for (const which of [-1, 1] as const) {
    for (let i = 0; i < 5; i++) {
      const a = -0.48 * length + i * 0.17 * length;
      const rib = frame.side(which, half, [
        [a, body[0]![1]],
        [a, top],
        [a + 0.08, top],
        [a + 0.08, body[0]![1]],
      ]);
      if (rib !== undefined) item.detail([rib], "#000000", 0.25);
    }
    const sign = frame.side(which, half, [
      [-0.35 * length, top * 0.5],
      [-0.35 * length, top * 0.8],
      [0.1 * length, top * 0.8],
      [0.1 * length, top * 0.5],
    ]);
    if (sign !== undefined) item.detail([sign], logo, 0.7);
  }
  const a = -length / 2 - 0.01;
  const door = frame.face([
    [a, 0.05, 0.9],
    [a, -0.05, 0.9],
    [a, -0.05, top],
    [a, 0.05, top],
  ]);
  if (door !== undefined) item.detail([door], "#000000", 0.4);
}

function lamps(item: Item, frame: Frame, { length, half, body }: Shape): void {
  const { light } = frame.world;
  const h = Math.min(1.1, body[1]![1] * 0.72);
  for (const which of [-1, 1]) {
    const [b0, b1] = [which * half * 0.95, which * half * 0.68] as const;
    const [low, high] = [Math.min(b0, b1), Math.max(b0, b1)];
    const [rear, front] = [-length / 2 - 0.01, length / 2 + 0.01];
    const red = frame.face([
      [rear, high, h - 0.1],
      [rear, low, h - 0.1],
      [rear, low, h + 0.12],
      [rear, high, h + 0.12],
    ]);
    const white = frame.face([
      [front, low, 0.58],
      [front, high, 0.58],
      [front, high, 0.78],
      [front, low, 0.78],
    ]);
    if (red !== undefined) item.detail([red], light.night ? "#ff3020" : lit(light, [190, 30, 28], [0, 0, -1], frame.z));
    if (white !== undefined)
      item.detail([white], light.night ? "#fffbe0" : lit(light, [240, 240, 232], [0, 0, -1], frame.z));
  }
}
