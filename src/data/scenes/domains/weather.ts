import { rain, snowfall } from "../things/canopy.js";
import { mix, palette, vary } from "../world/colour.js";
import type { World } from "../world/drawing.js";
import { halo } from "../world/fill.js";
import { sunAt } from "../world/light.js";
import { ellipse } from "../world/outline.js";
import type { SeededRandom } from "../world/seededRandom.js";
import { usual, type Weather } from "./domain.js";

/** Evenings and bad days, for any place. */
export const weathers: Record<"dusk" | "night" | "snow" | "rain" | "glare" | "fog", (mood: SeededRandom) => Weather> = {
  dusk: (mood) => {
    // From the last light, 0, to nearly dark.
    const dark = mood.next();
    const glow = mood.pick(palette("#d89a6e #c98a86 #8f8fae"));
    return {
      ...usual,
      light: (light) => ({
        ...light,
        direct: 0.04,
        ambient: 0.62 - 0.27 * dark,
        ambientTint: mood.pick(palette("#becdff #d8d0f0 #ffd6a0")),
        haze: mix([104, 98, 112], [36, 36, 52], dark),
        hazeDistance: mood.between(90, 200),
        night: true,
      }),
      sky: () => ({
        top: mix([70, 88, 132], [18, 22, 44], dark),
        bottom: mix(glow, [56, 52, 66], dark),
        cloud: mix([112, 100, 116], [46, 46, 60], dark),
        cover: 0.4,
      }),
      lens: (lens) => ({ ...lens, exposure: mood.between(1.05, 1.3), noise: 8 + 8 * dark, blur: 0.2, drops: 0 }),
      air: headlights,
    };
  },
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
