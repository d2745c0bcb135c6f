import type { BorderLook } from "../things/border.js";
import type { TreeLook } from "../things/vegetation.js";
import { type Colour, palette, vary } from "../world/colour.js";
import { type Light, sunAt } from "../world/light.js";
import type { SeededRandom } from "../world/seededRandom.js";

/** Every green of the wood, and some brown. */
export const leaves = palette("#2f4a22 #4a5a26 #6a6f2c #7d8438 #4f6a2c #a0702e #26402a #55702e");
const needles = palette("#2c4630 #384f30 #2a3d34 #455a34");
const barks = palette("#4a3f38 #6a5a4a #8f8a82 #37302c #7d6c58");

/** Who drives here, and how often. */
export const traffic = {
  hatchback: 3,
  estate: 3,
  suv: 4,
  van: 2,
  lorry: 1.1,
  tipper: 1.2,
  bus: 1,
  doubleDecker: 0.4,
  bicycle: 3,
  motorcycle: 2,
} as const;

/** Yellow sun through leaves, or a grey sky. */
export function light(mood: SeededRandom): Light {
  const sunny = mood.yes(0.5);
  return {
    sun: sunAt(mood.between(-160, 160), mood.between(24, 55)),
    direct: sunny ? mood.between(0.35, 0.6) : mood.between(0, 0.1),
    ambient: sunny ? mood.between(0.72, 0.9) : mood.between(0.85, 1.1),
    directTint: [255, 236, 190],
    ambientTint: [236, 250, 232],
    haze: vary(sunny ? [206, 206, 184] : [166, 172, 174], mood, 12),
    hazeDistance: mood.between(90, 200),
    night: false,
  };
}

/** Most have the leaf of this wood, some are of their own kind. */
export function woodTree(chance: SeededRandom, leaf: Colour): TreeLook {
  const kind = chance.pick(["round", "round", "round", "bare", "conifer"] as const);
  const crown = kind === "conifer" ? chance.pick(needles) : chance.yes(0.6) ? leaf : chance.pick(leaves);
  return {
    kind,
    leaf: vary(crown, chance, 14),
    bark: vary(chance.pick(barks), chance, 10),
    height: chance.between(7, 17),
    spread: chance.between(0.45, 0.8),
  };
}

/** What grows or stands along a lane. */
export function laneBorder(chance: SeededRandom, kind: "hedge" | "fence" | "wall"): BorderLook {
  if (kind === "hedge") return { kind, colour: vary(chance.pick(leaves), chance, 10), height: [1.2, 2.8] };
  if (kind === "wall") return { kind, colour: vary([128, 116, 98], chance, 14), height: [0.7, 1.3] };
  return {
    kind: chance.pick(["post-and-rail", "post-and-rail", "mesh"]),
    colour: vary([124, 106, 84], chance, 18),
    height: [1, 1.3],
  };
}
