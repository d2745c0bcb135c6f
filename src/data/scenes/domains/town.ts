import { dog } from "../things/animals.js";
import { border } from "../things/border.js";
import { terrace } from "../things/buildings.js";
import { gravel } from "../things/countryOddities.js";
import { lamp, sign, trafficLight } from "../things/furniture.js";
import { type Band, crossing, dashes, ground, groundGrain, stripe } from "../things/ground.js";
import { ridge } from "../things/sky.js";
import { bench, bins, cones, postBox, stall, telephoneBox } from "../things/streetOddities.js";
import { lane, leftStanding, strollers } from "../things/traffic.js";
import { tree } from "../things/vegetation.js";
import { vehicle } from "../things/vehicles.js";
import { palette, scale, vary } from "../world/colour.js";
import type { World } from "../world/drawing.js";
import { beside, bothSides, rising, type Side, type Spot } from "../world/roadside.js";
import type { SeededRandom } from "../world/seededRandom.js";
import { place } from "./domain.js";
import { gardenBorder, gardenTree, house, light, traffic } from "./townLooks.js";

const white = [222, 220, 210] as const;
const yellow = [214, 178, 60] as const;

/** First target: an island town of brick and painted terraces, driven on the left, from a van, in grey or evening light. */
export const town = place({
  light,
  half: (mood) => mood.pick([2.5, 2.9, 3.5]),
  drive: {
    height: [1.9, 0.25],
    focal: [0.76, 0.07],
    pitch: [4.5, 2],
    yaw: [0, 5],
    roll: [0, 1.6],
    offset: (half) => -half * 0.4,
    bend: [0, 14],
    climb: [0.5, 2.5],
  },
  sky: (mood, { direct, haze }) => ({
    top: direct > 0.3 ? vary([150, 152, 186], mood, 16) : vary([142, 148, 156], mood, 16),
    bottom: scale(haze, 1.03),
    cloud: direct > 0.3 ? [236, 196, 160] : [190, 194, 198],
    cover: mood.pick([0.3, 0.6, 0.9]),
  }),
  land({ world, chance, mood, half }) {
    ridge(world, chance.child("far"), {
      class: "vegetation",
      colour: [112, 104, 74],
      z: 240,
      height: mood.between(10, 26),
      wave: 60,
      rough: 0.3,
    });
    const walk = mood.between(2, 3.6);
    street(world, chance.child("street"), half, walk);
    bothSides(chance, (side, draw) => roadside(world, draw, side, half, walk));
    drivers(world, chance.child("drivers"), half);
    oddThings(world, chance.child("odd"), half, walk);
  },
  lens: (mood, { direct }) => ({
    exposure: mood.around(1.04, 0.12),
    contrast: mood.around(0.95, 0.12),
    saturation: mood.around(0.85, 0.2),
    tint: direct > 0.3 ? [255, 240, 218] : [240, 250, 255],
    vignette: 0.22,
    noise: 9,
    blur: mood.between(0.12, 0.24),
  }),
});

function street(world: World, chance: SeededRandom, half: number, walk: number): void {
  const wet = chance.yes(0.35);
  const cobbled = !wet && chance.yes(0.3);
  const tarmac = vary(wet ? [58, 60, 66] : cobbled ? [132, 108, 94] : [124, 118, 114], chance, 10);
  const flags = vary(chance.pick(palette("#706c6a #94604e #888476 #606266")), chance, 12);
  const lawn = vary([118, 118, 62], chance, 16);
  const garden = { class: "terrain", colour: lawn, rise: [0.1, 0.1] } as const;
  const grass = { count: 80, size: 0.14, contrast: 0.3 };
  const bands: Band[] = [
    { ...garden, to: -half - walk, specks: grass },
    { ...garden, from: half + walk, specks: grass },
    {
      class: "road",
      colour: tarmac,
      from: -half,
      to: half,
      specks: { count: cobbled ? 420 : 160, size: cobbled ? 0.16 : 0.1, contrast: cobbled ? 0.22 : 0.15 },
      patches: {
        count: wet ? 12 : 7,
        size: 1,
        colour: wet ? scale(world.light.haze, 0.75) : scale(tarmac, chance.pick([0.72, 1.2])),
      },
    },
  ];
  for (const side of [-1, 1])
    bands.push(
      { class: "sidewalk", colour: [150, 148, 144], ...beside(side, half, half + 0.15), rise: rising(side, 0, 0.1) },
      {
        class: "sidewalk",
        colour: flags,
        ...beside(side, half + 0.15, half + walk),
        rise: [0.1, 0.1],
        specks: { count: 90, size: 0.2, contrast: 0.16 },
      },
    );
  ground(world, chance, bands);
  groundGrain(world, chance.child("grain"), {
    colour: wet ? [190, 196, 204] : [34, 30, 28],
    strength: wet ? 0.7 : 0.6,
  });
  if (!cobbled) dashes(world, white, 0, 0.1, 2, 4, chance.between(0, 5));
  for (const side of [-1, 1])
    if (chance.yes(0.6)) for (const d of [0.2, 0.42]) stripe(world, yellow, side * (half - d), 0.09, 2, 70, 0.85);
  if (chance.yes(0.3)) {
    const z = chance.between(9, 22);
    crossing(world, white, -half, half, z);
    for (const side of [-1, 1]) {
      lamp(world, chance, [214, 212, 206], { u: side * (half + 0.4), z, base: 0.1, height: 2.6, arm: 0 });
      sign(world, chance, "round", { u: side * (half + 0.4), z: z + 0.1, base: 0.1, height: 2.8, size: 0.2 });
    }
  }
  if (chance.yes(0.25))
    trafficLight(world, chance.child("signal"), {
      u: -half - 0.5,
      z: chance.between(9, 24),
      base: 0.1,
      height: 2.2,
      backboard: true,
    });
}

function roadside(world: World, chance: SeededRandom, side: Side, half: number, walk: number): void {
  const edge = side * (half + walk);
  const base = 0.1;
  const garden = chance.yes(0.8) ? chance.between(2, 4.5) : 0.2;
  terrace(world, chance.child("houses"), house, {
    u: edge + side * garden,
    far: 120,
    width: [5, 8.5],
    gaps: chance.pick([0.04, 0.25]),
    base,
    deep: 9,
  });
  if (garden > 1) {
    for (let z = chance.between(2, 6), i = 0; z < 60 && i < 5; i++) {
      const run = { u: edge, z0: z, z1: z + chance.between(6, 14), base };
      border(world, chance, gardenBorder(chance), run);
      if (chance.yes(0.75))
        tree(world, chance.child(`tree ${i}`), gardenTree(chance), {
          u: edge + side * 1.5,
          z: Math.max(6, z + 2),
          base,
        });
      z = run.z1 + chance.between(0.5, 3);
    }
  }
  const iron = vary([48, 52, 50], chance, 10);
  for (const [z] of chance.along([6, 20], [16, 26], { far: 70, most: 3 }))
    lamp(world, chance, iron, {
      u: edge - side * 0.4,
      z,
      base,
      height: chance.between(4, 5.5),
      arm: chance.pick([0, -side * 0.8]),
    });
  for (const i of chance.times(0, 2))
    sign(world, chance.child(`sign ${i}`), chance.pick(["round", "triangle", "board", "blue", "arrows"]), {
      u: side * (half + 0.5),
      z: chance.between(6, 28),
      base,
      height: 2.1,
      size: 0.34,
    });
  strollers(world, chance.child("people"), {
    from: side * (half + 0.4),
    to: edge - side * 0.3,
    near: 6,
    far: 40,
    count: chance.integer(2, 5),
    base,
  });
  if (chance.yes(0.25))
    leftStanding(world, chance.child("bike"), "bicycle", { u: edge - side * 0.5, z: chance.between(7, 16), base });
  if (chance.yes(0.18))
    leftStanding(world, chance.child("scooter"), "motorcycle", { u: side * (half - 0.5), z: chance.between(8, 18) });
  if (chance.yes(0.7))
    lane(
      world,
      chance.child("parked"),
      { hatchback: 4, estate: 3, suv: 3, van: 4 },
      { u: side * (half - 0.7), heading: chance.pick([0, 180]), from: 4, to: 60, gap: [0.6, 7] },
    );
}

function drivers(world: World, chance: SeededRandom, half: number): void {
  if (chance.yes(0.08))
    vehicle(world, chance.child("tram"), "tram", {
      u: half * 0.3,
      z: chance.between(24, 40),
      heading: 180,
      paint: [214, 210, 200],
    });
  lane(world, chance.child("ahead"), traffic, { u: -half * 0.38, heading: 0, from: 12, to: 70, gap: [10, 40] });
  lane(world, chance.child("oncoming"), traffic, { u: half * 0.38, heading: 180, from: 9, to: 70, gap: [10, 40] });
  if (chance.yes(0.5))
    strollers(world, chance.child("jaywalkers"), { from: -half, to: half, near: 8, far: 20, count: 2 });
}

function oddThings(world: World, chance: SeededRandom, half: number, walk: number): void {
  const spot = (near: number, far: number): Spot => ({
    u: chance.sign() * (half + chance.between(0.5, walk)),
    z: chance.distance(near, far),
    base: 0.1,
  });
  if (chance.yes(0.35)) telephoneBox(world, chance.child("telephone"), spot(6, 16));
  if (chance.yes(0.35)) postBox(world, chance.child("post"), spot(5, 14));
  for (let i = 0; i < 3; i++) if (chance.yes(0.6)) bins(world, chance.child(`bins ${i}`), spot(5, 20));
  if (chance.yes(0.35))
    cones(world, chance.child("cones"), { u: chance.between(-half, half), z: chance.between(6, 14) });
  if (chance.yes(0.5)) stall(world, chance.child("stall"), spot(6.5, 15));
  if (chance.yes(0.25)) bench(world, chance.child("bench"), spot(6, 16));
  if (chance.yes(0.25)) dog(world, chance.child("dog"), spot(5, 12));
  if (chance.yes(0.2))
    gravel(world, chance.child("works"), {
      from: chance.between(-half, 0),
      to: chance.between(0.8, half),
      z0: 6,
      z1: 11,
      colour: [142, 120, 96],
    });
}
