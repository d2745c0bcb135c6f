import { cow, deer, sheep } from "../things/animals.js";
import { border } from "../things/border.js";
import { building } from "../things/buildings.js";
import { rain } from "../things/canopy.js";
import { boulder, cattleGrid, gravel, timber, tractor, water } from "../things/countryOddities.js";
import { lamp, sign, trafficLight } from "../things/furniture.js";
import { type Band, ground, groundGrain, openLand, stripe } from "../things/ground.js";
import { mist, ridge } from "../things/sky.js";
import { telephoneBox } from "../things/streetOddities.js";
import { lane, leftStanding, railway, strollers } from "../things/traffic.js";
import { bush, tree } from "../things/vegetation.js";
import { type Colour, palette, scale, vary } from "../world/colour.js";
import type { World } from "../world/drawing.js";
import { beside, bothSides, type Side } from "../world/roadside.js";
import type { SeededRandom } from "../world/seededRandom.js";
import { type Domain, place } from "./domain.js";
import { croft, fir, light, roadBorder, rocks, traffic } from "./uplandLooks.js";

/** How high and how bare a country of hills is. */
export interface Upland {
  /** Colours of open ground. */
  readonly moors: readonly Colour[];
  readonly skies: readonly Colour[];
  /** Metres until the air has its own colour. */
  readonly hazeDistances: readonly number[];
  readonly ridges: {
    /** Height over distance. */
    readonly slope: readonly [low: number, high: number];
    /** Chances that a far ridge is bare rock, and that low cloud lies on any. */
    readonly rock: number;
    readonly cloud: number;
  };
}

/** Single-track roads through a country of hills, with sheep on them. */
export const upland = ({ moors, skies, hazeDistances, ridges }: Upland): Domain =>
  place({
    light: (mood) => light(mood, hazeDistances),
    half: (mood) => mood.between(1.5, 2.1),
    drive: {
      height: [2, 0.45],
      focal: [0.72, 0.1],
      pitch: [1, 4.5],
      yaw: [0, 9],
      roll: [0, 3.4],
      offset: (_half, mood) => mood.around(0, 0.4),
      bend: [0, 48],
      climb: [0, 8],
    },
    sky: (mood, { haze }) => ({
      top: vary(mood.pick(skies), mood, 14),
      bottom: scale(haze, 1.02),
      cloud: mood.pick(palette("#d6d8da #bcc2c8 #e8e6e0")),
      cover: mood.pick([0.3, 0.6, 0.9]),
    }),
    land({ world, chance, mood, half }) {
      hills(world, chance.child("mountains"), ridges, moors);
      const moor = vary(mood.pick(moors), mood, 10);
      const uphill = mood.pick([-1, 1] as const);
      lie(world, chance.child("land"), half, { moor, moors, uphill });
      bothSides(chance, (side, draw) => roadside(world, draw, side, half, moor));
      strangers(world, chance.child("strangers"), half, uphill);
      travellers(world, chance.child("travellers"), half);
      if (mood.yes(0.4))
        rain(world, chance.child("rain"), { count: mood.integer(60, 160), slant: mood.around(0, 0.4), opacity: 0.28 });
    },
    lens: (mood) => ({
      exposure: mood.around(1.06, 0.18),
      contrast: mood.around(0.95, 0.14),
      saturation: mood.around(0.9, 0.28),
      tint: mood.pick(palette("#e8f6ff #f6faf6 #fff0de")),
      vignette: 0.28,
      noise: 11,
      blur: mood.between(0.14, 0.3),
      ...(mood.yes(0.22) ? { drops: mood.integer(4, 16) } : {}),
    }),
  });

function hills(
  world: World,
  chance: SeededRandom,
  { slope, rock: bare, cloud }: Upland["ridges"],
  moors: readonly Colour[],
): void {
  for (const [i, z] of [900, 520, 300].entries()) {
    const rock = i < 2 && chance.yes(bare);
    ridge(world, chance.child(i), {
      class: "terrain",
      colour: vary(chance.pick(rock ? rocks : moors), chance, 10),
      z,
      height: z * chance.between(...slope),
      wave: z * 0.2,
      rough: rock ? 0.5 : 0.2,
      texture: rock ? [50, 48, 46] : [44, 36, 24],
    });
    // What low cloud hides is still mountain.
    if (chance.yes(cloud))
      mist(world, chance.child(`mist ${i}`), {
        colour: scale(world.light.haze, 1.06),
        y: world.view.horizon - chance.between(20, 130),
        thick: chance.between(30, 80),
        opacity: chance.between(0.5, 0.95),
      });
  }
  if (chance.yes(0.55))
    ridge(world, chance.child("plantation"), {
      class: "vegetation",
      colour: vary([50, 72, 46], chance, 12),
      z: 200,
      height: chance.between(10, 30),
      wave: 12,
      rough: 0.8,
      texture: [20, 26, 22],
    });
}

interface Slope {
  readonly moor: Colour;
  readonly moors: readonly Colour[];
  readonly uphill: Side;
}

function lie(world: World, chance: SeededRandom, half: number, { moor, moors, uphill }: Slope): void {
  const road: Colour = vary(chance.pick(palette("#706c6a #887668 #565456 #968e84")), chance, 12);
  const slope = chance.between(0.6, 3);
  const fall = -chance.between(0.2, 1.2);
  const verge = vary(chance.pick(palette("#7c8048 #70763c #8a8650 #6a8042 #768c4a")), chance, 12);
  const land = openLand(half, {
    ground: moor,
    verge,
    wide: 4,
    climb: (side) => (side === uphill ? slope : fall),
    steep: 5,
    surface: {
      specks: { count: 230, size: 0.3, contrast: 0.4, tall: true },
      patches: { count: 9, size: 3, colour: vary(chance.pick(moors), chance, 14) },
    },
  });
  const bands: Band[] = [
    ...land,
    {
      class: "road",
      colour: road,
      from: -half,
      to: half,
      specks: { count: 230, size: 0.15, contrast: 0.26 },
      patches: { count: 8, size: 0.8, colour: chance.pick([scale(road, 0.7), scale(world.light.haze, 0.8), verge]) },
    },
  ];
  if (chance.yes(0.09))
    bands.push({
      class: "sidewalk",
      colour: vary([148, 140, 128], chance, 10),
      from: half + 0.2,
      to: half + 1.6,
      rise: [0.08, 0.08],
      specks: { count: 60, size: 0.15, contrast: 0.2 },
    });
  ground(world, chance, bands, 320);
  groundGrain(world, chance.child("grain"), { colour: [32, 26, 18], strength: 0.8 });
  if (chance.yes(0.35)) stripe(world, verge, 0, 0.5, 2, 50, 0.55);
  if (chance.yes(0.3)) for (const u of [-half + 0.15, half - 0.15]) stripe(world, [210, 208, 198], u, 0.09, 2, 50, 0.5);
}

function roadside(world: World, chance: SeededRandom, side: Side, half: number, moor: Colour): void {
  const kind = chance.pick(["none", "none", "wall", "guard", "mesh", "none"] as const);
  const run = { u: side * (half + chance.between(0.7, 1.8)), z0: chance.between(2, 7), z1: chance.between(25, 70) };
  if (kind !== "none") border(world, chance, roadBorder(chance, kind), run);
  for (let i = 0; i < 16; i++) {
    const z = chance.distance(4, 56);
    const dull = chance.yes(0.5);
    const leaf = dull ? scale(moor, chance.pick([0.75, 1.2])) : chance.pick(palette("#9e5c28 #784a4e #585c34 #b0963c"));
    bush(world, chance.child(`bracken ${i}`), vary(leaf, chance, 12), {
      u: side * (half + chance.between(0.9, 9)),
      z,
      size: chance.between(0.5, 1.4),
    });
  }
  const firs = chance.pick([0, 2, 4, 9]);
  for (let i = 0; i < firs; i++)
    tree(world, chance.child(`fir ${i}`), fir(chance), {
      u: side * (half + chance.between(3, 16)),
      z: chance.distance(9, 63),
    });
  // Snow poles, passing places, a lone lamp or telegraph post.
  if (chance.yes(0.4))
    for (const [z] of chance.along([6, 12], 12, { most: 4 }))
      lamp(world, chance, [196, 110, 60], { u: side * (half + 0.6), z, height: 1.9, arm: 0 });
  if (chance.yes(0.3))
    for (const [z] of chance.along([8, 16], 16, { most: 4 }))
      lamp(world, chance, [96, 84, 70], { u: side * (half + 4), z, height: 7, arm: 0 });
  if (chance.yes(0.4))
    sign(world, chance, chance.pick(["diamond", "diamond", "arrows", "triangle", "board"]), {
      u: side * (half + 0.8),
      z: chance.between(6, 20),
      height: 1.7,
      size: 0.38,
    });
  if (chance.yes(0.04))
    trafficLight(world, chance.child("works"), {
      u: side * (half + 0.5),
      z: chance.between(7, 14),
      height: 1.5,
      backboard: true,
    });
  if (chance.yes(0.12)) {
    const z = chance.between(14, 40);
    const wall = vary(chance.pick(palette("#deded8 #847e76")), chance, 10);
    const site = { u: side * (half + chance.between(5, 14)), z0: z, z1: z + 11, deep: 6 };
    building(world, chance.child("croft"), { ...croft, wall }, site);
  }
}

function strangers(world: World, chance: SeededRandom, half: number, uphill: Side): void {
  if (chance.yes(0.42)) {
    const wide = chance.between(14, 60);
    water(world, chance.child("loch"), {
      u: -uphill * (half + 3 + wide),
      z: chance.between(36, 80),
      wide,
      long: chance.between(20, 32),
      level: -0.6,
    });
  }
  if (chance.yes(0.5))
    for (const i of chance.times(1, 5))
      sheep(world, chance.child(`sheep ${i}`), { u: chance.between(-half - 4, half + 4), z: chance.distance(5.5, 22) });
  if (chance.yes(0.16))
    cow(world, chance.child("cow"), { u: chance.sign() * (half + chance.between(0, 3)), z: chance.between(7, 15) });
  if (chance.yes(0.1))
    deer(world, chance.child("stag"), { u: chance.sign() * (half + chance.between(1, 4)), z: chance.between(8, 18) });
  if (chance.yes(0.25))
    timber(world, chance.child("timber"), {
      u: chance.sign() * (half + 4.2),
      z: chance.between(7, 15),
      rows: chance.integer(3, 6),
      wide: chance.between(4, 6),
    });
  if (chance.yes(0.4))
    gravel(world, chance.child("passing place"), {
      ...beside(chance.sign(), half - 0.1, half + 2.6),
      z0: chance.between(4, 7),
      z1: chance.between(14, 24),
      colour: vary(chance.pick(palette("#96908a #8c7460")), chance, 14),
    });
  for (const i of chance.times(0, 3))
    boulder(world, chance.child(`boulder ${i}`), {
      u: chance.sign() * (half + chance.between(1, 6)),
      z: chance.between(6, 22),
      size: chance.between(0.6, 1.5),
    });
  if (chance.yes(0.14)) cattleGrid(world, { from: -half, to: half, z: chance.between(6, 12) });
  if (chance.yes(0.08))
    telephoneBox(world, chance.child("telephone"), { u: chance.sign() * (half + 1.4), z: chance.between(6, 12) });
  if (chance.yes(0.08))
    tractor(world, chance.child("tractor"), { u: chance.sign() * (half + 3), z: chance.between(9, 20) });
}

function travellers(world: World, chance: SeededRandom, half: number): void {
  const ahead = chance.yes(0.5);
  const oncoming = !ahead && chance.yes(0.5);
  if (ahead) lane(world, chance.child("ahead"), traffic, { u: 0, heading: 0, from: 9, to: 30, gap: [40, 80] });
  if (oncoming) lane(world, chance.child("oncoming"), traffic, { u: 0, heading: 180, from: 10, to: 30, gap: [40, 80] });
  if (chance.yes(0.2))
    strollers(world, chance.child("walkers"), {
      from: half - 0.2,
      to: half + 1,
      near: 6,
      far: 20,
      count: chance.integer(1, 3),
    });
  if (chance.yes(0.06))
    leftStanding(world, chance.child("resting"), "bicycle", { u: half + 0.9, z: chance.between(6, 11) });
  if (chance.yes(0.05))
    leftStanding(world, chance.child("tourer"), "motorcycle", { u: -half - 0.7, z: chance.between(6, 11) });
  if (chance.yes(0.07)) railway(world, chance, { reach: 20, near: 34, far: 50, base: 1.5, livery: [40, 54, 92] });
}

/** Third target: roads between loch and mountain, under low cloud. */
export const highland = upland({
  // Heather, bracken, peat and some grass.
  moors: palette("#8a5a30 #a0713a #6f5a3a #9a8a52 #74684e #7d4a34 #b08c50 #6a4a52 #7d8a4a #6f8444 #8a9450 #88863c"),
  skies: palette("#b0b8c0 #8fa4c4 #bec0c2 #7a9eca #6c96cd"),
  hazeDistances: [80, 120, 200, 320],
  ridges: { slope: [0.09, 0.3], rock: 0.5, cloud: 0.4 },
});

/** On the way to the highland: its roads, its camera and its rain, between low green hills. */
export const foothills = upland({
  // Grass, and some heather.
  moors: palette("#9a8a52 #8a9450 #7d8a4a #6f8444 #8a9450 #88863c #7d8a4a #6f8444 #74684e #9a8a52"),
  skies: palette("#b0b8c0 #8fa4c4 #7a9eca #7a9eca #6c96cd"),
  hazeDistances: [200, 320],
  ridges: { slope: [0.03, 0.1], rock: 0, cloud: 0.1 },
});
