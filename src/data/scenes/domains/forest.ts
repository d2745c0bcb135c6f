import { cow, deer, horse } from "../things/animals.js";
import { border } from "../things/border.js";
import { type BuildingLook, building } from "../things/buildings.js";
import { canopy, dapples } from "../things/canopy.js";
import { cattleGrid, gravel, timber, tractor, water } from "../things/countryOddities.js";
import { lamp, sign, trafficLight } from "../things/furniture.js";
import { type Band, ground, groundGrain, openLand, stripe } from "../things/ground.js";
import { ridge } from "../things/sky.js";
import { bins, telephoneBox } from "../things/streetOddities.js";
import { lane, leftStanding, railway, strollers } from "../things/traffic.js";
import { bush, tree } from "../things/vegetation.js";
import { type Colour, palette, scale, vary } from "../world/colour.js";
import type { World } from "../world/drawing.js";
import { beside, bothSides, type Side } from "../world/roadside.js";
import type { SeededRandom } from "../world/seededRandom.js";
import { place } from "./domain.js";
import { laneBorder, leaves, light, traffic, woodTree } from "./forestLooks.js";

/** Second target: lanes through an old wood and open heath, where ponies walk on the road. */
export const forest = place({
  light,
  half: (mood) => mood.between(1.5, 2.3),
  drive: {
    height: [1.7, 0.35],
    focal: [0.85, 0.12],
    pitch: [3.5, 3],
    yaw: [0, 6],
    roll: [0, 2.2],
    offset: (half) => -half * 0.25,
    bend: [0, 26],
    climb: [0, 4],
  },
  sky: (mood, { haze }) => ({
    top: vary([138, 148, 156], mood, 16),
    bottom: haze,
    cloud: [172, 176, 178],
    cover: mood.pick([0.2, 0.5, 0.9]),
  }),
  land({ world, chance, mood, half }) {
    const leaf = vary(mood.pick(leaves), mood, 10);
    const open = mood.yes(0.5);
    ridge(world, chance.child("woods"), {
      class: "vegetation",
      colour: leaf,
      z: open ? 150 : 80,
      height: open ? 14 : 22,
      wave: 9,
      rough: 0.7,
      texture: [30, 34, 20],
    });
    lie(world, chance.child("ground"), half, open);
    bothSides(chance, (side, draw) => roadside(world, draw, side, half, open, leaf));
    if (!open && mood.yes(0.75))
      canopy(world, chance.child("canopy"), leaf, { depth: mood.between(0.2, 0.42), gap: mood.between(0.1, 0.7) });
    if (world.light.direct > 0.2)
      dapples(world, chance.child("dapples"), { half, count: open ? 20 : 90, opacity: 0.3 });
    travellers(world, chance.child("travellers"), half);
    strangers(world, chance.child("strangers"), half);
  },
  lens: (mood) => ({
    exposure: mood.around(1.06, 0.18),
    contrast: mood.around(1, 0.14),
    saturation: mood.around(0.9, 0.2),
    tint: mood.pick(palette("#f8ffe8 #fff6e2 #eefafa")),
    vignette: 0.26,
    noise: 7,
    blur: mood.between(0.1, 0.24),
  }),
});

function lie(world: World, chance: SeededRandom, half: number, open: boolean): void {
  const track = chance.yes(0.35);
  const road: Colour = vary(track ? [162, 142, 108] : chance.pick(palette("#787068 #605c5c #8c807a")), chance, 12);
  const litter: Colour = vary(
    chance.pick<Colour>(open ? palette("#7a7060 #74646a #807a6a") : palette("#706660 #686058 #6c6860 #70605a")),
    chance,
    12,
  );
  const bank = chance.pick([0, 0, 0, 0.8]);
  const land = openLand(half, {
    ground: litter,
    verge: scale(litter, 0.95),
    wide: 2.5,
    climb: () => bank,
    steep: 3,
    surface: {
      specks: { count: 180, size: 0.15, contrast: 0.16, tall: open },
      patches: { count: 6, size: 2, colour: scale(litter, chance.pick([0.84, 1.14])) },
    },
  });
  const bands: Band[] = [
    ...land,
    {
      class: "road",
      colour: road,
      from: -half,
      to: half,
      specks: { count: track ? 260 : 170, size: track ? 0.11 : 0.16, contrast: track ? 0.3 : 0.22 },
      patches: { count: 8, size: 0.9, colour: track ? scale(road, 0.75) : litter },
    },
  ];
  // A village stretch: one narrow footway of beaten earth or old slabs.
  if (chance.yes(0.26))
    bands.push({
      class: "sidewalk",
      colour: vary([128, 120, 110], chance, 12),
      from: half,
      to: half + 1.3,
      rise: [0.06, 0.06],
      specks: { count: 80, size: 0.18, contrast: 0.2 },
    });
  ground(world, chance, bands);
  groundGrain(world, chance.child("grain"), { colour: [38, 28, 16], strength: 0.5 });
  if (!track && chance.yes(0.3))
    for (const side of [-1, 1]) stripe(world, [216, 214, 200], side * (half - 0.15), 0.1, 2, 60, 0.6);
  if (track) stripe(world, litter, 0, 0.7, 2, 60, 0.6);
}

function roadside(world: World, chance: SeededRandom, side: Side, half: number, open: boolean, leaf: Colour): void {
  const trees = open ? 5 : 15;
  for (let i = 0; i < trees; i++) {
    const draw = chance.child(i);
    const z = 4.5 * (70 / 4.5) ** ((i + draw.next()) / trees);
    tree(world, draw, woodTree(draw, leaf), { u: side * (half + draw.between(1.8, open ? 20 : 8) + z * 0.03), z });
  }
  const kind = chance.pick(
    open ? (["none", "fence", "gorse"] as const) : (["hedge", "hedge", "none", "fence", "wall", "bracken"] as const),
  );
  const run = { u: side * (half + chance.between(0.6, 1.6)), z0: chance.between(2, 6), z1: chance.between(25, 60) };
  if (kind === "hedge" || kind === "fence" || kind === "wall") border(world, chance, laneBorder(chance, kind), run);
  const brush = kind === "bracken" || kind === "gorse" ? 14 : 4;
  for (let i = 0; i < brush; i++)
    bush(world, chance.child(`brush ${i}`), vary(chance.pick(palette("#7c5c34 #8a8a34 #4e602e #5c682c")), chance, 14), {
      u: side * (half + chance.between(0.8, 7)),
      z: chance.distance(5, 40),
      size: chance.between(0.7, 1.6),
    });
  if (chance.yes(0.22))
    cottage(world, chance.child("cottage"), side * (half + chance.between(3, 7)), chance.between(10, 26));
  if (chance.yes(0.22))
    lamp(world, chance, [104, 90, 74], { u: side * (half + 1.2), z: chance.between(7, 25), height: 6.5, arm: 0 });
  if (chance.yes(0.4))
    sign(world, chance, chance.pick(["triangle", "board", "round", "triangle"]), {
      u: side * (half + 0.9),
      z: chance.between(6, 22),
      height: chance.between(1.5, 2.2),
      size: 0.36,
    });
  if (chance.yes(0.07))
    trafficLight(world, chance.child("works"), { u: side * (half + 0.4), z: chance.between(8, 16), height: 1.6 });
}

/** Thatch or old tile, timber frame or cob. */
function cottage(world: World, chance: SeededRandom, u: number, z: number): void {
  const wall = vary(chance.pick(palette("#e2d6be #96543e #c4aa82 #d6c4be")), chance, 12);
  const look: BuildingLook = {
    wall,
    roof: vary(chance.pick(palette("#86704c #603e2e")), chance, 12),
    trim: [92, 72, 54],
    glass: [56, 56, 54],
    floors: 2,
    floor: 2.3,
    bay: 2.6,
    window: [0.36, 0.38],
    top: "pitched",
    ground: "doors",
    chimneys: true,
    texture: { colour: scale(wall, 0.6), frequency: [0.05, 0.1] },
  };
  building(world, chance, look, { u, z0: z, z1: z + chance.between(8, 13), deep: 7 });
}

function travellers(world: World, chance: SeededRandom, half: number): void {
  if (chance.yes(0.5))
    lane(world, chance.child("ahead"), traffic, { u: -half * 0.4, heading: 0, from: 9, to: 40, gap: [14, 50] });
  if (chance.yes(0.45))
    lane(world, chance.child("oncoming"), traffic, { u: half * 0.45, heading: 180, from: 9, to: 45, gap: [14, 50] });
  if (chance.yes(0.3))
    strollers(world, chance.child("walkers"), {
      from: half - 0.4,
      to: half + 0.8,
      near: 7,
      far: 25,
      count: chance.integer(1, 3),
    });
  if (chance.yes(0.06))
    leftStanding(world, chance.child("leaning"), "bicycle", { u: half + 0.9, z: chance.between(6, 12) });
  if (chance.yes(0.05))
    leftStanding(world, chance.child("tourer"), "motorcycle", { u: -half - 0.7, z: chance.between(7, 12) });
  // A steam line crosses the heath.
  if (chance.yes(0.08)) railway(world, chance, { reach: 14, near: 30, far: 42, base: 0.8, livery: [86, 34, 34] });
}

function strangers(world: World, chance: SeededRandom, half: number): void {
  const verge = (): number => chance.sign() * (half + chance.between(0.8, 3));
  if (chance.yes(0.5)) {
    for (const i of chance.times(1, 3))
      horse(world, chance.child(`pony ${i}`), {
        u: chance.between(-half - 2.5, half + 2.5),
        z: chance.distance(6.5, 19.5),
        size: chance.between(0.75, 1),
      });
  }
  if (chance.yes(0.14)) deer(world, chance.child("deer"), { u: verge(), z: chance.between(7, 16) });
  if (chance.yes(0.14))
    cow(world, chance.child("cow"), {
      u: verge(),
      z: chance.between(7, 14),
      coat: chance.pick(palette("#282422 #965834 #d6cec2")),
    });
  if (chance.yes(0.16)) telephoneBox(world, chance.child("telephone"), { u: verge(), z: chance.between(6, 12) });
  if (chance.yes(0.2))
    timber(world, chance.child("timber"), {
      u: chance.sign() * (half + 4),
      z: chance.between(8, 16),
      rows: chance.integer(3, 5),
      wide: chance.between(3.5, 5),
    });
  if (chance.yes(0.25)) cattleGrid(world, { from: -half, to: half, z: chance.between(6, 14) });
  if (chance.yes(0.3))
    gravel(world, chance.child("layby"), {
      ...beside(chance.sign(), half, half + 2.4),
      z0: 5,
      z1: chance.between(12, 22),
      colour: vary([150, 134, 110], chance, 12),
    });
  if (chance.yes(0.1)) tractor(world, chance.child("tractor"), { u: half * 0.5, z: chance.between(10, 20) });
  if (chance.yes(0.1)) bins(world, chance.child("bins"), { u: verge(), z: chance.between(6, 12) });
  if (chance.yes(0.1))
    water(world, chance.child("pond"), { u: chance.sign() * (half + 8), z: 16, wide: 6, long: chance.between(4, 7) });
}
