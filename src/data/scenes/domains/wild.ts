import { horse } from "../things/animals.js";
import { type BuildingLook, building } from "../things/buildings.js";
import { rain, snowfall } from "../things/canopy.js";
import { boulder, gravel } from "../things/countryOddities.js";
import { fence, lamp, sign, trafficLight, wall } from "../things/furniture.js";
import { ground, groundGrain, stripe } from "../things/ground.js";
import { ridge, sky } from "../things/sky.js";
import { cones } from "../things/streetOddities.js";
import { lane, strollers } from "../things/traffic.js";
import { bush, tree } from "../things/vegetation.js";
import type { Chance } from "../world/chance.js";
import { palette, scale, vary } from "../world/colour.js";
import type { World } from "../world/drawing.js";
import { halo } from "../world/fill.js";
import { sunAt } from "../world/light.js";
import { ellipse } from "../world/outline.js";
import { city } from "./city.js";
import { type Domain, openWorld, usual, type Weather } from "./domain.js";
import { forest } from "./forest.js";
import { highland } from "./highland.js";
import { town } from "./town.js";

/** Test only: every other place on a bad day, and a desert nobody trained on. */
export const wild: Domain = (chance, aspect) => {
  const mood = chance.child("wild");
  const trouble = mood.pick(["night", "snow", "rain", "glare", "fog", "desert"] as const);
  if (trouble === "desert") return desert(chance, aspect);
  const place = mood.pick([city, city, town, town, forest, highland]);
  return place(chance, aspect, weathers[trouble](mood));
};

const weathers: Record<"night" | "snow" | "rain" | "glare" | "fog", (mood: Chance) => Weather> = {
  night: (mood) => ({
    ...usual,
    light: (light) => ({
      ...light,
      direct: 0.04,
      ambient: mood.between(0.28, 0.42),
      ambientTint: mood.pick(palette("#becdff #ffd6a0")),
      haze: [26, 28, 40],
      hazeDistance: mood.between(60, 140),
      night: true,
    }),
    sky: () => ({ top: [10, 13, 26], bottom: vary([44, 40, 48], mood, 10), cloud: [40, 40, 50], cover: 0.4 }),
    lens: (lens) => ({ ...lens, exposure: mood.between(1.1, 1.35), noise: 18, blur: 0.2, drops: 0 }),
    air: headlights,
  }),
  snow: (mood) => ({
    light: (light) => ({
      ...light,
      direct: Math.min(light.direct, 0.3),
      ambient: Math.max(0.8, light.ambient),
      haze: [222, 226, 232],
      hazeDistance: mood.between(50, 120),
      cover: { colour: [240, 244, 250], share: mood.between(0.6, 0.92) },
    }),
    sky: (look) => ({ ...look, top: [196, 202, 210], bottom: [224, 228, 232], cloud: [212, 216, 222], cover: 0.8 }),
    lens: (lens) => ({ ...lens, saturation: lens.saturation * 0.7 }),
    air: (world) => snowfall(world, mood.child("flakes"), mood.integer(0, 90)),
  }),
  rain: (mood) => ({
    light: (light) => ({
      ...light,
      direct: 0,
      ambient: mood.between(0.6, 0.8),
      haze: [150, 158, 166],
      hazeDistance: mood.between(40, 90),
    }),
    sky: (look) => ({ ...look, top: [112, 120, 130], bottom: [160, 166, 172], cloud: [92, 98, 108], cover: 0.9 }),
    lens: (lens) => ({ ...lens, contrast: 0.85, blur: 0.28, drops: mood.integer(18, 50) }),
    air: (world) => rain(world, mood.child("streaks"), { count: 180, slant: mood.around(0, 0.5), opacity: 0.3 }),
  }),
  glare: (mood) => ({
    ...usual,
    light: (light) => ({
      ...light,
      sun: sunAt(mood.between(-16, 16), mood.between(6, 14)),
      direct: 0.65,
      ambient: 0.66,
      directTint: [255, 220, 160],
      haze: [252, 232, 196],
      hazeDistance: mood.between(40, 90),
    }),
    sky: (look) => ({ ...look, top: [206, 190, 176], bottom: [255, 238, 206], cloud: [255, 240, 214], glare: true }),
    lens: (lens) => ({ ...lens, exposure: mood.between(1.15, 1.4), contrast: 1.1 }),
  }),
  fog: (mood) => ({
    ...usual,
    light: (light) => ({
      ...light,
      direct: 0,
      ambient: 0.85,
      haze: vary([202, 206, 210], mood, 10),
      hazeDistance: mood.between(12, 30),
    }),
    sky: (look) => ({ ...look, top: [198, 202, 206], bottom: [204, 208, 212], cover: 0 }),
    lens: (lens) => ({ ...lens, contrast: 0.8 }),
  }),
};

/** Our own beams on the road ahead. */
function headlights({ drawing, view }: World): void {
  const [x, y] = view.at(view.camera.offset, 0, 9);
  const fill = halo([x, y], 420, [
    [0, [255, 240, 200], 0.42],
    [0.5, [255, 232, 180], 0.2],
    [1, [255, 225, 170], 0],
  ]);
  drawing.item("road", "shadow", 0).detail([ellipse(x, y + 60, 420, 190, 24)], fill);
}

/** Sand, mesas, mud-brick houses, palms, and a road half buried. */
function desert(chance: Chance, aspect: number): ReturnType<Domain> {
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
  const world = openWorld(
    {
      height: mood.around(1.6, 0.3),
      focal: mood.around(0.85, 0.1),
      pitch: mood.around(2, 2),
      yaw: mood.around(0, 5),
      roll: mood.around(0, 2),
      offset: half * 0.4,
    },
    { bend: mood.around(0, 20), climb: mood.around(0, 3) },
    light,
    aspect,
  );
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
  for (const side of [-1, 1] as const) {
    const draw = chance.child(side === 1 ? "right" : "left");
    for (let i = 0; i < 12; i++)
      bush(world, draw.child(`scrub ${i}`), vary([136, 130, 84], draw, 14), {
        u: side * (half + draw.between(1, 14)),
        z: 6 * 8 ** draw.next(),
        size: draw.between(0.4, 1),
      });
    for (const i of draw.times(0, 4))
      tree(
        world,
        draw.child(`palm ${i}`),
        {
          kind: "palm",
          leaf: vary([104, 122, 60], draw, 12),
          bark: [130, 104, 76],
          height: draw.between(5, 9),
          spread: 0.8,
        },
        { u: side * (half + draw.between(2, 9)), z: draw.between(8, 40) },
      );
    if (draw.yes(0.5)) mudHouses(world, draw, side * (half + draw.between(3, 9)));
    if (draw.yes(0.3))
      wall(world, draw, vary([190, 150, 108], draw, 12), {
        u: side * (half + 2),
        z0: 5,
        z1: 30,
        height: 1.8,
        stones: false,
      });
    if (draw.yes(0.25)) fence(world, "guard", [168, 168, 164], { u: side * (half + 0.6), z0: 4, z1: 40, height: 0.8 });
    for (let i = 0, z = 10; i < 4; i++, z += 20)
      lamp(world, draw, [120, 100, 84], { u: side * (half + 3), z, height: 8, arm: 0 });
    if (draw.yes(0.5))
      sign(world, draw, draw.pick(["board", "diamond", "round"]), { u: side * (half + 1), z: draw.between(7, 20) });
  }
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
}

function mudHouses(world: Parameters<typeof building>[0], chance: Chance, u: number): void {
  const look = (draw: Chance): BuildingLook => ({
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
