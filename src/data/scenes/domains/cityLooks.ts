import type { BorderLook } from "../things/border.js";
import type { BuildingLook } from "../things/buildings.js";
import type { TreeLook } from "../things/vegetation.js";
import { palette, scale, vary } from "../world/colour.js";
import { type Light, sunAt } from "../world/light.js";
import type { SeededRandom } from "../world/seededRandom.js";

const plaster = palette(
  "#d9c9a8 #c8b48e #b98f6b #a4744f #d7d2c6 #bfb8ab #9aa3a8 #8a6a58 #c9a69a #93a08a #e2d6b8 #7e7a76 #b0573f #8c3f33 #6f7d88 #d8b27a",
);
const roofs = palette("#7a3b2e #5c4a44 #4b4e54 #8a5a44");
const leaves = palette("#3f6b2c #4f7d34 #5c8a3c #36602f #6b8f45 #48723f");

/** Who drives here, and how often. */
export const traffic = {
  hatchback: 5,
  saloon: 5,
  estate: 3,
  suv: 3,
  van: 2,
  lorry: 1.2,
  tipper: 0.5,
  bus: 1.1,
  bicycle: 1.6,
  motorcycle: 1.2,
} as const;

/** Bright days more often than grey ones. */
export function light(mood: SeededRandom): Light {
  const sunny = mood.yes(0.55);
  return {
    sun: sunAt(mood.between(-150, 150), mood.between(28, 60)),
    direct: sunny ? mood.between(0.45, 0.65) : mood.between(0.05, 0.18),
    ambient: sunny ? mood.between(0.66, 0.8) : mood.between(0.85, 1),
    directTint: [255, 244, 224],
    ambientTint: [244, 248, 255],
    haze: sunny ? vary([206, 218, 230], mood, 8) : vary([206, 209, 213], mood, 8),
    hazeDistance: mood.between(140, 320),
    night: false,
  };
}

/** Plaster of all colours, three to six floors, now and then glass and concrete. */
export function house(chance: SeededRandom): BuildingLook {
  const modern = chance.yes(0.25);
  const wall = vary(chance.pick(plaster), chance, 16);
  return {
    wall,
    roof: vary(chance.pick(roofs), chance, 12),
    trim: vary(chance.yes(0.5) ? [220, 214, 200] : scale(wall, 0.75), chance, 10),
    glass: vary(modern ? [92, 118, 138] : [56, 64, 74], chance, 14),
    floors: chance.integer(3, 6),
    floor: chance.between(3, 3.6),
    bay: chance.between(2.2, 3.6),
    window: modern ? [0.86, 0.7] : [chance.between(0.4, 0.6), chance.between(0.5, 0.64)],
    top: modern || chance.yes(0.3) ? "flat" : "pitched",
    ground: chance.pick(["shops", "doors", "windows"]),
    texture: { colour: scale(wall, 0.55), frequency: chance.yes(0.4) ? [0.05, 0.22] : [0.06, 0.06] },
  };
}

/** What a park is closed off with. */
export function parkBorder(chance: SeededRandom, kind: "wall" | "hedge" | "panel" | "railing"): BorderLook {
  if (kind === "wall")
    return {
      kind,
      colour: vary(chance.pick(palette("#9e9488 #8c5a46 #b0aca4")), chance, 10),
      height: [1, 2.6],
      stones: 0.4,
    };
  if (kind === "hedge") return { kind, colour: vary([66, 98, 48], chance, 10), height: [0.9, 1.8] };
  return { kind, colour: vary(kind === "panel" ? [134, 108, 82] : [62, 66, 68], chance, 12), height: [1, 1.8] };
}

/** Planted, pruned and green. */
export function streetTree(chance: SeededRandom): TreeLook {
  return {
    kind: "round",
    leaf: vary(chance.pick(leaves), chance, 14),
    bark: vary([92, 76, 60], chance, 10),
    height: chance.between(5.5, 11),
    spread: chance.between(0.5, 0.75),
  };
}
