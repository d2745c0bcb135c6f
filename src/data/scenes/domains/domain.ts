import type { SkyLook } from "../things/sky.js";
import type { Chance } from "../world/chance.js";
import { Drawing, type World } from "../world/drawing.js";
import type { Lens } from "../world/lens.js";
import type { Light } from "../world/light.js";
import { Plot } from "../world/plot.js";
import { type Camera, type Lie, UNITS_WIDE, View } from "../world/view.js";

/** A finished drawing and the camera it is seen through. */
export interface Shot {
  readonly drawing: Drawing;
  readonly lens: Lens;
}

/** A kind of place: draws one picture of it, from nothing but a keyed chance. `aspect` is width over height. */
export type Domain = (chance: Chance, aspect: number, weather?: Weather) => Shot;

/** What a day can do to a place without moving a stone: its light, its sky, the camera's trouble with both. */
export interface Weather {
  readonly light: (light: Light) => Light;
  readonly sky: (look: SkyLook) => SkyLook;
  readonly lens: (lens: Lens) => Lens;
  /** Drawn last, in front of everything: rain, snowflakes. */
  readonly air: (world: World) => void;
}

/** The domain's own weather, unchanged. */
export const usual: Weather = { light: (light) => light, sky: (look) => look, lens: (lens) => lens, air: () => {} };

/** An empty world seen by a camera. */
export function openWorld(camera: Camera, lie: Lie, light: Light, aspect: number): World {
  return {
    drawing: new Drawing(UNITS_WIDE, UNITS_WIDE / aspect),
    view: new View(camera, lie, aspect),
    light,
    plot: new Plot(),
  };
}
