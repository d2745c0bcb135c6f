import { type Colour, vary } from "../world/colour.js";
import type { World } from "../world/drawing.js";
import type { Spot } from "../world/roadside.js";
import type { SeededRandom } from "../world/seededRandom.js";
import { bicycle, motorcycle, person } from "./people.js";
import type { VehicleKind } from "./vehicleShapes.js";
import { vehicle } from "./vehicles.js";

/** Kinds with how often each comes, e.g. `{ hatchback: 4, bus: 1 }`. */
export type Mix = Readonly<Partial<Record<VehicleKind | "bicycle" | "motorcycle", number>>>;

function drawFrom<K extends string>(chance: SeededRandom, shares: Readonly<Partial<Record<K, number>>>): K {
  const entries = Object.entries(shares) as [K, number][];
  let left = chance.next() * entries.reduce((sum, [, share]) => sum + share, 0);
  for (const [kind, share] of entries) {
    left -= share;
    if (left < 0) return kind;
  }
  return entries[0]![0];
}

const lengths: Partial<Record<string, number>> = {
  lorry: 10,
  tipper: 9,
  bus: 13,
  doubleDecker: 12.5,
  tram: 30,
  bicycle: 2.5,
  motorcycle: 3,
};

/** Vehicles one behind the other in a lane; `gap` is the bare road between them, in metres. */
export function lane(
  world: World,
  chance: SeededRandom,
  shares: Mix,
  {
    u,
    heading,
    from,
    to,
    gap,
    base = 0,
  }: { u: number; heading: number; from: number; to: number; gap: readonly [number, number]; base?: number },
): void {
  let z = from + chance.between(0, gap[1] * 0.7);
  for (let i = 0; z < to && i < 14; i++) {
    const draw = chance.child(i);
    const kind = drawFrom(draw, shares);
    const length = lengths[kind] ?? 5;
    const place = { u: u + draw.between(-0.25, 0.25), z: z + length / 2, heading: heading + draw.between(-2, 2), base };
    const narrow = kind === "bicycle" || kind === "motorcycle";
    if (place.z > 4.5 && world.plot.claim(place.u, place.z, narrow ? 0.4 : 1, length / 2)) {
      if (kind === "bicycle") bicycle(world, draw, { ...place, turned: "away", ridden: true });
      else if (kind === "motorcycle") motorcycle(world, draw, { ...place, turned: "away", ridden: draw.yes(0.8) });
      else vehicle(world, draw, kind, place);
    }
    z += length + draw.between(gap[0], gap[1]);
  }
}

/** A bicycle or motorcycle that somebody left standing, seen from the side. */
export function leftStanding(world: World, chance: SeededRandom, kind: "bicycle" | "motorcycle", spot: Spot): void {
  (kind === "bicycle" ? bicycle : motorcycle)(world, chance, { ...spot, turned: "side", ridden: false });
}

/** A railway across the view, at most `reach` metres to either side, with a carriage on it. */
export function railway(
  world: World,
  chance: SeededRandom,
  { reach, near, far, base, livery }: { reach: number; near: number; far: number; base: number; livery: Colour },
): void {
  const place = { u: chance.between(-reach, reach), z: chance.between(near, far), heading: 90, base };
  vehicle(world, chance.child("train"), "tram", { ...place, paint: vary(livery, chance, 14) });
}

/** People on a pavement, alone and in twos. */
export function strollers(
  world: World,
  chance: SeededRandom,
  {
    from,
    to,
    near,
    far,
    count,
    base = 0,
  }: { from: number; to: number; near: number; far: number; count: number; base?: number },
): void {
  for (let i = 0; i < count; i++) {
    const draw = chance.child(i);
    const place = { u: draw.between(from, to), z: draw.distance(near, far), base };
    if (!world.plot.claim(place.u, place.z, 0.35, 0.5)) continue;
    person(world, draw, place);
    if (draw.yes(0.3)) person(world, draw.child("friend"), { ...place, u: place.u + 0.6, z: place.z + 0.2 });
  }
}
