import { horse } from "../things/animals.js";
import { type BuildingLook, building } from "../things/buildings.js";
import { boulder, gravel } from "../things/countryOddities.js";
import { fence, lamp, sign, trafficLight, wall } from "../things/furniture.js";
import { ground, groundGrain, stripe } from "../things/ground.js";
import { ridge, sky } from "../things/sky.js";
import { cones } from "../things/streetOddities.js";
import { lane, strollers } from "../things/traffic.js";
import { bush, tree } from "../things/vegetation.js";
import { scale, vary } from "../world/colour.js";
import type { World } from "../world/drawing.js";
import { sunAt } from "../world/light.js";
import { bothSides, type Side } from "../world/roadside.js";
import type { SeededRandom } from "../world/seededRandom.js";
import { type Domain, type Drive, setOut } from "./domain.js";

const drive: Drive = {
  height: [1.6, 0.3],
  focal: [0.85, 0.1],
  pitch: [2, 2],
  yaw: [0, 5],
  roll: [0, 2],
  offset: (half) => half * 0.4,
  bend: [0, 20],
  climb: [0, 3],
};

/** Sand, mesas, mud-brick houses, palms, and a road half buried. */
export const desert: Domain = (chance, aspect) => {
  const mood = chance.child("mood");
  const light = {
    sun: sunAt(mood.between(-150, 150), mood.between(40, 70)),
    direct: mood.between(0.5, 0.65),
    ambient: 0.62,
    directTint: [255, 240, 210],
    ambientTint: [255, 246, 232],
    haze: vary([232, 214, 182], mood, 8),
    hazeDistance: mood.between(80, 220),
    night: false,
  } as const;
  const half = mood.between(2.6, 4);
  const world = setOut(mood, drive, half, light, aspect);
  const sand = vary([206, 170, 118], mood, 14);
  sky(world, chance.child("sky"), {
    top: vary([110, 158, 206], mood, 16),
    bottom: [236, 220, 190],
    cloud: [250, 246, 238],
    cover: 0.1,
  });
  for (const [i, z] of [700, 400].entries())
    ridge(world, chance.child(`mesa ${i}`), {
      class: "terrain",
      colour: vary([176, 106, 70], mood, 14),
      z,
      height: z * mood.between(0.06, 0.16),
      wave: z * 0.25,
      rough: 0.6,
      texture: [120, 70, 44],
      stepped: i === 0,
    });
  const dunes = {
    specks: { count: 120, size: 0.2, contrast: 0.14 },
    patches: { count: 8, size: 3, colour: scale(sand, 0.86) },
  };
  ground(world, chance.child("ground"), [
    { class: "terrain", colour: sand, to: -half, ...dunes },
    { class: "terrain", colour: sand, from: half, ...dunes },
    {
      class: "road",
      colour: vary([150, 136, 122], mood, 12),
      from: -half,
      to: half,
      specks: { count: 140, size: 0.12, contrast: 0.16 },
      patches: { count: 10, size: 1.2, colour: sand },
    },
  ]);
  groundGrain(world, chance.child("grain"), { colour: [130, 96, 60], strength: 0.8 });
  stripe(world, [226, 190, 80], 0, 0.14, 2, 90, 0.7);
  bothSides(chance, (side, draw) => roadside(world, draw, side, half));
  if (mood.yes(0.15)) trafficLight(world, mood, { u: half + 0.7, z: 14 });
  lane(
    world,
    chance.child("ahead"),
    { saloon: 3, suv: 4, van: 2, lorry: 3, bus: 1, motorcycle: 1 },
    { u: half * 0.5, heading: 0, from: 10, to: 60, gap: [15, 50] },
  );
  lane(
    world,
    chance.child("oncoming"),
    { saloon: 3, suv: 4, lorry: 3, tipper: 1 },
    { u: -half * 0.5, heading: 180, from: 10, to: 60, gap: [15, 50] },
  );
  strollers(world, chance.child("walkers"), {
    from: half + 0.5,
    to: half + 3,
    near: 8,
    far: 30,
    count: mood.integer(0, 3),
  });
  for (const i of mood.times(0, 2))
    horse(world, chance.child(`mule ${i}`), {
      u: mood.sign() * (half + mood.between(0.5, 4)),
      z: mood.between(8, 18),
      size: 0.85,
    });
  if (mood.yes(0.5)) boulder(world, mood, { u: -half - 2, z: mood.between(6, 14), size: 1.5 });
  if (mood.yes(0.4)) gravel(world, mood, { from: half, to: half + 2.5, z0: 5, z1: 16, colour: [178, 150, 116] });
  if (mood.yes(0.2)) cones(world, mood, { u: half - 0.5, z: 8 });
  return {
    drawing: world.drawing,
    lens: {
      exposure: mood.around(1.12, 0.12),
      contrast: 1,
      saturation: 0.95,
      tint: [255, 248, 236],
      vignette: 0.2,
      noise: 7,
      blur: 0.12,
    },
  };
};

function roadside(world: World, chance: SeededRandom, side: Side, half: number): void {
  for (let i = 0; i < 12; i++)
    bush(world, chance.child(`scrub ${i}`), vary([136, 130, 84], chance, 14), {
      u: side * (half + chance.between(1, 14)),
      z: chance.distance(6, 48),
      size: chance.between(0.4, 1),
    });
  for (const i of chance.times(0, 4))
    tree(
      world,
      chance.child(`palm ${i}`),
      {
        kind: "palm",
        leaf: vary([104, 122, 60], chance, 12),
        bark: [130, 104, 76],
        height: chance.between(5, 9),
        spread: 0.8,
      },
      { u: side * (half + chance.between(2, 9)), z: chance.between(8, 40) },
    );
  if (chance.yes(0.5)) mudHouses(world, chance, side * (half + chance.between(3, 9)));
  if (chance.yes(0.3))
    wall(world, chance, vary([190, 150, 108], chance, 12), {
      u: side * (half + 2),
      z0: 5,
      z1: 30,
      height: 1.8,
      stones: false,
    });
  if (chance.yes(0.25)) fence(world, "guard", [168, 168, 164], { u: side * (half + 0.6), z0: 4, z1: 40, height: 0.8 });
  for (let i = 0, z = 10; i < 4; i++, z += 20)
    lamp(world, chance, [120, 100, 84], { u: side * (half + 3), z, height: 8, arm: 0 });
  if (chance.yes(0.5))
    sign(world, chance, chance.pick(["board", "diamond", "round"]), { u: side * (half + 1), z: chance.between(7, 20) });
}

function mudHouses(world: World, chance: SeededRandom, u: number): void {
  const look = (draw: SeededRandom): BuildingLook => ({
    wall: vary([206, 164, 116], draw, 18),
    roof: [170, 130, 92],
    trim: [176, 138, 98],
    glass: [70, 60, 52],
    floors: draw.integer(1, 2),
    floor: 2.8,
    bay: 3.2,
    window: [0.24, 0.3],
    top: "flat",
    ground: "doors",
  });
  let z = chance.between(8, 18);
  for (let i = 0; i < 4; i++) {
    const z1 = z + chance.between(6, 11);
    const draw = chance.child(`house ${i}`);
    building(world, draw, look(draw), { u, z0: z, z1, deep: 8 });
    z = z1 + chance.between(0, 6);
  }
}
