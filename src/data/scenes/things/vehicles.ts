import { type Colour, vary } from "../world/colour.js";
import type { Item, World } from "../world/drawing.js";
import type { Ink } from "../world/fill.js";
import { lit } from "../world/light.js";
import { shrink } from "../world/outline.js";
import type { SeededRandom } from "../world/seededRandom.js";
import { castShadow, extrude, Frame } from "../world/solid.js";
import type { Point } from "../world/view.js";
import { liveries, type Profile, paints, type Shape, shapes, type VehicleKind } from "./vehicleShapes.js";
import { coach, lamps, ribs, trim } from "./vehicleTrim.js";

export interface VehiclePlace {
  readonly u: number;
  readonly z: number;
  /** 0 drives away from us, 180 comes towards us, 90 crosses to the right. */
  readonly heading: number;
  readonly base?: number;
  readonly paint?: Colour;
}

export function vehicle(world: World, chance: SeededRandom, kind: VehicleKind, place: VehiclePlace): void {
  const shape: Shape = shapes[kind];
  const frame = new Frame(world, place.u, place.z, place.heading, place.base ?? 0);
  const paint = place.paint ?? vary(chance.pick(liveries[kind] ?? paints), chance, 14);
  const put = (profile: Profile): Profile => profile.map(([along, up]) => [(along - 0.5) * shape.length, up] as const);
  castShadow(frame, shape.length, shape.half, shape.body.reduce((top, [, up]) => Math.max(top, up), 0) * 0.8);
  const item = world.drawing.item(shape.class, "thing", place.z);
  // Past this distance a car is a few pixels wide and its door handles are nobody's business.
  const close = world.view.scale(place.z) > 24;
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
  readonly tyre: Ink;
  readonly rim: Ink;
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
  const glass = (normal: readonly [number, number, number]): Ink =>
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
