import type { BorderLook } from "../things/border.js";
import type { BuildingLook } from "../things/buildings.js";
import type { TreeLook } from "../things/vegetation.js";
import { palette, scale, vary } from "../world/colour.js";
import { type Light, sunAt } from "../world/light.js";
import type { SeededRandom } from "../world/seededRandom.js";

const bricks = palette("#8f4a37 #a2543c #7a4034 #b08a5e #6e5a50 #9c6b4f #a9b7b4");
const renders = palette("#e9e4d8 #f1eee6 #d8dcdc #e3a9a0 #8fbcc6 #e6cf7e #a9c69a #6f92b8");
const slates = palette("#4a4d55 #3b3e46 #5b5450 #6a4238");
const autumn = palette("#b0662a #c78a2e #8a4a26 #a89a3a #6f7436 #d0a33c #5c5a30");

/** Who drives here, and how often. */
export const traffic = {
  hatchback: 5,
  saloon: 2,
  estate: 3,
  suv: 3,
  van: 3,
  lorry: 1.8,
  tipper: 0.8,
  doubleDecker: 3,
  bicycle: 2,
  motorcycle: 1,
} as const;

/** A low evening sun, or an even grey. */
export function light(mood: SeededRandom): Light {
  const evening = mood.yes(0.4);
  return {
    sun: sunAt(mood.between(-160, 160), evening ? mood.between(9, 20) : mood.between(20, 40)),
    direct: evening ? mood.between(0.4, 0.6) : mood.between(0, 0.12),
    ambient: evening ? mood.between(0.64, 0.82) : mood.between(0.85, 1.08),
    directTint: [255, 208, 150],
    ambientTint: evening ? [222, 226, 255] : [240, 246, 250],
    haze: evening ? vary([232, 204, 180], mood, 10) : vary([172, 178, 184], mood, 10),
    hazeDistance: mood.between(60, 160),
    night: false,
  };
}

/** Narrow, of brick or painted, with chimneys. */
export function house(chance: SeededRandom): BuildingLook {
  const wall = vary(chance.pick(chance.yes(0.45) ? bricks : renders), chance, 14);
  return {
    wall,
    roof: vary(chance.pick(slates), chance, 12),
    trim: vary([236, 232, 222], chance, 10),
    glass: vary([74, 78, 82], chance, 14),
    floors: chance.integer(2, 3),
    floor: chance.between(2.6, 3.1),
    bay: chance.between(1.8, 2.6),
    window: [chance.between(0.5, 0.66), chance.between(0.42, 0.56)],
    top: chance.pick(["pitched", "gable", "pitched"]),
    ground: chance.pick(["doors", "doors", "shops"]),
    chimneys: true,
    texture: { colour: scale(wall, 0.5), frequency: [0.04, 0.3] },
  };
}

/** What a front garden ends with. */
export function gardenBorder(chance: SeededRandom): BorderLook {
  const kind = chance.pick(["wall", "hedge", "fence", "wall"] as const);
  if (kind === "wall") return { kind, colour: vary(chance.pick(bricks), chance, 12), height: [0.6, 1.5], stones: 0.3 };
  if (kind === "hedge")
    return { kind, colour: vary(chance.pick(palette("#46542c #605c2c #784e28")), chance, 10), height: [0.9, 2.2] };
  return {
    kind: chance.pick(["panel", "railing", "mesh"]),
    colour: vary([84, 70, 58], chance, 20),
    height: [0.9, 1.7],
  };
}

/** In autumn colours, some already bare. */
export function gardenTree(chance: SeededRandom): TreeLook {
  return {
    kind: chance.pick(["round", "round", "bare"]),
    leaf: vary(chance.pick(autumn), chance, 14),
    bark: vary([70, 60, 54], chance, 10),
    height: chance.between(4, 9),
    spread: chance.between(0.6, 0.95),
  };
}
