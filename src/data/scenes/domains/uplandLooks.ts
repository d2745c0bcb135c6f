import type { BorderLook } from "../things/border.js";
import type { TreeLook } from "../things/vegetation.js";
import { palette, vary } from "../world/colour.js";
import { type Light, sunAt } from "../world/light.js";
import type { SeededRandom } from "../world/seededRandom.js";

/** Bare rock and dry-stone walls. */
export const rocks = palette("#77746e #8a8378 #5d5c5c #948a80 #6e665c");
/** A low cottage with a slate roof; its walls are whitewashed or bare. */
export const croft = {
  roof: [74, 76, 82],
  trim: [120, 120, 118],
  glass: [48, 52, 56],
  floors: 1,
  floor: 2.6,
  bay: 3,
  window: [0.3, 0.36],
  top: "pitched",
  ground: "windows",
  chimneys: true,
} as const;

/** Who drives here, and how often. */
export const traffic = {
  hatchback: 2,
  estate: 3,
  suv: 4,
  van: 4,
  lorry: 1.6,
  tipper: 1.6,
  bus: 1.8,
  bicycle: 3.5,
  motorcycle: 3,
} as const;

/** Overcast, with a shaft of sun now and then. */
export function light(mood: SeededRandom, hazeDistances: readonly number[]): Light {
  const shaft = mood.yes(0.3);
  return {
    sun: sunAt(mood.between(-170, 170), mood.between(12, 35)),
    direct: shaft ? mood.between(0.3, 0.55) : mood.between(0, 0.1),
    ambient: mood.between(0.78, 1.1),
    directTint: [255, 226, 176],
    ambientTint: mood.pick(palette("#e2eeff #f4f6fa")),
    haze: vary(mood.pick(palette("#c2cad2 #ced0d0 #b0bac6")), mood, 10),
    hazeDistance: mood.pick(hazeDistances),
    night: false,
  };
}

/** Firs, and what wind leaves of other trees. */
export function fir(chance: SeededRandom): TreeLook {
  return {
    kind: chance.pick(["conifer", "conifer", "bare", "round"]),
    leaf: vary([50, 76, 46], chance, 14),
    bark: vary([78, 70, 64], chance, 10),
    height: chance.between(5, 13),
    spread: chance.between(0.35, 0.6),
  };
}

/** Dry stone, a crash barrier, or wire against sheep. */
export function roadBorder(chance: SeededRandom, kind: "wall" | "guard" | "mesh"): BorderLook {
  if (kind === "wall") return { kind, colour: vary(chance.pick(rocks), chance, 12), height: [0.7, 1.4] };
  if (kind === "guard") return { kind, colour: vary([150, 152, 152], chance, 14), height: 0.8 };
  return { kind, colour: vary([112, 100, 86], chance, 14), height: 1.1 };
}
