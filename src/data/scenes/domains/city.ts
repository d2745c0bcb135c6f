import { border } from "../things/border.js";
import { terrace } from "../things/buildings.js";
import { fence, lamp, sign, trafficLight } from "../things/furniture.js";
import { type Band, crossing, dashes, ground, groundGrain, stopLine, stripe } from "../things/ground.js";
import { bicycle } from "../things/people.js";
import { ridge } from "../things/sky.js";
import { lane, leftStanding, strollers } from "../things/traffic.js";
import { tree } from "../things/vegetation.js";
import { vehicle } from "../things/vehicles.js";
import { palette, scale, vary } from "../world/colour.js";
import type { World } from "../world/drawing.js";
import { beside, bothSides, rising, type Side } from "../world/roadside.js";
import type { SeededRandom } from "../world/seededRandom.js";
import { house, light, parkBorder, streetTree, traffic } from "./cityLooks.js";
import { type Domain, place } from "./domain.js";
import { weathers } from "./weather.js";

const white = [232, 232, 226] as const;

/** The labelled source: a busy central European city by day, seen from a car's windscreen. */
export const city = place({
  light,
  half: (mood) => mood.pick([3.6, 5, 6.8, 7.2]),
  drive: {
    height: [1.3, 0.1],
    focal: [0.98, 0.06],
    pitch: [1.6, 1],
    yaw: [0, 2.5],
    roll: [0, 0.6],
    offset: (half) => half * 0.42,
    bend: [0, 5],
    climb: [0, 1],
  },
  sky: (mood, { direct, haze }) => ({
    top: direct > 0.3 ? vary([92, 142, 205], mood, 18) : vary([176, 184, 194], mood, 14),
    bottom: scale(haze, 1.02),
    cloud: direct > 0.3 ? [246, 246, 248] : [214, 217, 222],
    cover: mood.pick([0.15, 0.4, 0.6, 0.8]),
  }),
  land({ world, chance, mood, half }) {
    const wooded = mood.yes(0.4);
    ridge(world, chance.child("skyline"), {
      class: wooded ? "vegetation" : "building",
      colour: wooded ? [84, 104, 70] : [140, 134, 130],
      z: 260,
      height: mood.between(14, 34),
      wave: 40,
      rough: 0.9,
      stepped: !wooded,
    });
    const walk = mood.between(2.8, 6.5);
    const verge = mood.yes(0.5) ? mood.between(1.4, 4) : 0;
    street(world, chance.child("street"), half, walk, verge);
    bothSides(chance, (side, draw) => roadside(world, draw, side, half, walk, verge));
    drivers(world, chance.child("drivers"), half);
  },
  lens: (mood) => ({
    exposure: mood.around(1, 0.1),
    contrast: mood.around(1.03, 0.07),
    saturation: mood.around(0.95, 0.15),
    tint: [255, 253, 249],
    vignette: 0.14,
    noise: 5,
    blur: 0.1,
  }),
});

function street(world: World, chance: SeededRandom, half: number, walk: number, verge: number): void {
  const asphalt = vary([104, 104, 108], chance, 16);
  const paving = vary(chance.pick(palette("#a8a49e #989492 #b0a698")), chance, 12);
  const grass = vary([104, 132, 66], chance, 14);
  const grassy = { specks: { count: 90, size: 0.12, contrast: 0.25, tall: true } };
  const kerb = { class: "sidewalk", colour: [186, 184, 180] } as const;
  const far = half + walk + verge;
  const bands: Band[] = [
    { class: "terrain", colour: grass, to: -far, rise: [0.12, 0.12], ...grassy },
    { class: "terrain", colour: grass, from: far, rise: [0.12, 0.12], ...grassy },
    {
      class: "road",
      colour: asphalt,
      from: -half,
      to: half,
      specks: { count: 130, size: 0.1, contrast: 0.12 },
      patches: { count: 5, size: 1, colour: scale(asphalt, 0.82) },
    },
  ];
  for (const side of [-1, 1]) {
    bands.push({ ...kerb, ...beside(side, half, half + 0.22), rise: rising(side, 0, 0.12) });
    if (verge > 0)
      bands.push({
        class: "terrain",
        colour: grass,
        ...beside(side, half + 0.22, half + verge),
        rise: [0.12, 0.12],
        ...grassy,
      });
    bands.push({
      class: "sidewalk",
      colour: paving,
      ...beside(side, half + Math.max(0.22, verge), far),
      rise: [0.12, 0.12],
      specks: { count: 60, size: 0.22, contrast: 0.1 },
    });
  }
  ground(world, chance, bands);
  groundGrain(world, chance.child("grain"), { colour: [40, 40, 44], strength: 0.5 });
  const start = chance.between(0, 6);
  if (half > 6) for (const u of [-half / 2, half / 2]) dashes(world, white, u, 0.14, 3, 5, start);
  if (chance.yes(0.3)) stripe(world, white, 0, 0.16, 2, 120);
  else dashes(world, white, 0, 0.15, 3, 4, start);
  for (const side of [-1, 1]) stripe(world, white, side * (half - 0.3), 0.12, 2, 120, 0.7);
  const junction = chance.between(12, 30);
  if (chance.yes(0.35)) crossing(world, white, -half, half, junction);
  if (chance.yes(0.3)) stopLine(world, white, 0.2, half - 0.3, junction - 2);
  if (chance.yes(0.5)) {
    trafficLight(world, chance.child("signal"), { u: half + 0.7, z: junction, base: 0.12 });
    if (chance.yes(0.6))
      trafficLight(world, chance.child("signal across"), { u: -half - 0.7, z: junction + 3, base: 0.12 });
  }
}

function roadside(world: World, chance: SeededRandom, side: Side, half: number, walk: number, verge: number): void {
  const edge = side * (half + walk + verge);
  const base = 0.12;
  const park = chance.yes(0.3);
  if (park) {
    const kind = chance.pick(["railing", "wall", "hedge", "panel", "wall", "open", "open"] as const);
    const run = { u: edge, z0: chance.between(2, 8), z1: chance.between(40, 90), base };
    if (kind !== "open") border(world, chance, parkBorder(chance, kind), run);
    for (let i = 0; i < 9; i++)
      tree(world, chance.child(`park ${i}`), streetTree(chance), {
        u: edge + side * chance.between(2, 16),
        z: 8 * 10 ** (i / 9) + chance.between(0, 4),
        base,
      });
    if (chance.yes(0.6))
      terrace(world, chance.child("behind"), house, {
        u: edge + side * 26,
        far: 120,
        width: [12, 22],
        gaps: 0.2,
        base,
      });
  } else {
    // Some stand back behind a lawn.
    const setback = chance.yes(0.3) ? chance.between(3, 7) : 0.3;
    terrace(world, chance.child("houses"), house, {
      u: edge + side * setback,
      far: 130,
      width: [9, 20],
      gaps: 0.07,
      base,
    });
  }
  if (chance.yes(0.6)) {
    const gap = chance.between(8, 16);
    for (const [z, i] of chance.along([7, 14], gap, { far: 75, most: 6 }))
      tree(world, chance.child(`tree ${i}`), streetTree(chance), { u: side * (half + 0.9), z, base });
  }
  const steel = vary([120, 124, 126], chance, 18);
  for (const [z] of chance.along([6, 20], [18, 28], { far: 90, most: 4 }))
    lamp(world, chance, steel, { u: side * (half + 0.6), z, base, height: chance.between(6.5, 8), arm: -side * 1.6 });
  for (const i of chance.times(0, 3))
    sign(world, chance.child(`sign ${i}`), chance.pick(["round", "triangle", "blue", "board", "stop"]), {
      u: side * (half + 0.8),
      z: chance.between(6, 35),
      base,
    });
  strollers(world, chance.child("people"), {
    from: side * (half + 0.6),
    to: edge - side * 0.5,
    near: 6,
    far: 45,
    count: chance.integer(1, 6),
    base,
  });
  if (chance.yes(0.35))
    for (const i of chance.times(1, 4))
      leftStanding(world, chance.child(`bike ${i}`), "bicycle", {
        u: side * (half + 1.2),
        z: chance.between(6, 20),
        base,
      });
  if (chance.yes(0.15))
    leftStanding(world, chance.child("parked motorcycle"), "motorcycle", {
      u: side * (half + 0.9),
      z: chance.between(6, 16),
      base,
    });
  if (half > 4.5 && chance.yes(0.7))
    lane(
      world,
      chance.child("parked"),
      { hatchback: 4, saloon: 4, estate: 3, suv: 3, van: 1 },
      { u: side * (half - 1.1), heading: side === 1 ? 0 : 180, from: 5, to: 60, gap: [0.8, 6] },
    );
  if (chance.yes(0.25))
    fence(world, "railing", vary([80, 84, 86], chance, 14), {
      u: side * (half + 0.35),
      z0: chance.between(4, 12),
      z1: chance.between(20, 45),
      height: 1,
      base,
    });
}

function drivers(world: World, chance: SeededRandom, half: number): void {
  const parked = half > 4.5 ? 2.2 : 0;
  lane(world, chance.child("ahead"), traffic, {
    u: Math.max(1.6, (half - parked) * 0.5),
    heading: 0,
    from: 9,
    to: 80,
    gap: [7, 30],
  });
  lane(world, chance.child("oncoming"), traffic, {
    u: -Math.max(1.6, (half - parked) * 0.5),
    heading: 180,
    from: 7,
    to: 90,
    gap: [6, 30],
  });
  // The tram comes first: it cannot swerve, so the others keep clear of it.
  if (chance.yes(0.16))
    vehicle(world, chance.child("tram"), "tram", {
      u: -Math.max(1.5, half * 0.2),
      z: chance.between(26, 48),
      heading: chance.pick([0, 180]),
    });
  const cyclist = { u: half - 0.6, z: chance.between(7, 18) };
  if (chance.yes(0.5) && world.plot.claim(cyclist.u, cyclist.z, 0.4, 1))
    bicycle(world, chance.child("cyclist"), { ...cyclist, turned: "away", ridden: true });
  const crosser = { u: chance.between(-3, 4), z: chance.between(10, 22) };
  if (chance.yes(0.3) && world.plot.claim(crosser.u, crosser.z, 1, 0.5))
    bicycle(world, chance.child("crossing cyclist"), { ...crosser, turned: "side", ridden: true });
  if (chance.yes(0.2))
    strollers(world, chance.child("crossing"), {
      from: -half,
      to: half,
      near: 12,
      far: 22,
      count: chance.integer(1, 3),
    });
  if (chance.yes(0.15))
    vehicle(world, chance.child("cross traffic"), chance.pick(["hatchback", "saloon", "suv", "bus", "lorry"]), {
      u: chance.between(-6, 6),
      z: chance.between(24, 45),
      heading: chance.pick([90, -90]),
    });
}

/** The city in the evening, from the last light until it is nearly dark: the same streets, lamps and windows lit. */
export const dusk: Domain = (chance, aspect) => city(chance, aspect, weathers.dusk(chance.child("weather")));

/** The city after dark, by the light of lamps, windows and headlights. */
export const night: Domain = (chance, aspect) => city(chance, aspect, weathers.night(chance.child("weather")));
