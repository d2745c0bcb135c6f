import { type SkyLook, sky } from "../things/sky.js";
import { Drawing, Footprints, type World } from "../world/drawing.js";
import type { Lens } from "../world/lens.js";
import type { Light } from "../world/light.js";
import type { SeededRandom } from "../world/seededRandom.js";
import { UNITS_WIDE, View } from "../world/view.js";

/** A finished drawing and the camera it is seen through. */
export interface Shot {
  readonly drawing: Drawing;
  readonly lens: Lens;
}

/** A kind of place: draws one image of it, from nothing but a keyed chance. `aspect` is width over height. */
export type Domain = (chance: SeededRandom, aspect: number, weather?: Weather) => Shot;

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

/** A centre and how far from it a draw may fall. */
type Spread = readonly [centre: number, spread: number];

/** How the place is driven through: the camera and the road ahead, see `Camera` and `Lie`. */
export interface Drive {
  readonly height: Spread;
  readonly focal: Spread;
  readonly pitch: Spread;
  readonly yaw: Spread;
  readonly roll: Spread;
  /** Metres right of the centre line, given half the width of the road. */
  readonly offset: (half: number, mood: SeededRandom) => number;
  readonly bend: Spread;
  readonly climb: Spread;
}

/** A place in words: each part is asked once per image, in this order, and draws from the image's mood. */
export interface PlaceParts {
  readonly light: (mood: SeededRandom) => Light;
  /** Half the width of the road, metres. */
  readonly half: (mood: SeededRandom) => number;
  readonly drive: Drive;
  readonly sky: (mood: SeededRandom, light: Light) => SkyLook;
  /** Everything below the sky. */
  readonly land: (setting: Setting) => void;
  readonly lens: (mood: SeededRandom, light: Light) => Lens;
}

export interface Setting {
  readonly world: World;
  readonly chance: SeededRandom;
  readonly mood: SeededRandom;
  readonly half: number;
}

export function place({ light: lightOf, half: halfOf, drive, sky: skyOf, land, lens: lensOf }: PlaceParts): Domain {
  return (chance, aspect, weather = usual) => {
    const mood = chance.child("mood");
    const light = weather.light(lightOf(mood));
    const half = halfOf(mood);
    const world = setOut(mood, drive, half, light, aspect);
    sky(world, chance.child("sky"), weather.sky(skyOf(mood, light)));
    land({ world, chance, mood, half });
    weather.air(world);
    return { drawing: world.drawing, lens: weather.lens(lensOf(mood, light)) };
  };
}

/** An empty world, seen from a car on its road. */
export function setOut(mood: SeededRandom, drive: Drive, half: number, light: Light, aspect: number): World {
  const draw = ([centre, spread]: Spread): number => mood.around(centre, spread);
  const camera = {
    height: draw(drive.height),
    focal: draw(drive.focal),
    pitch: draw(drive.pitch),
    yaw: draw(drive.yaw),
    roll: draw(drive.roll),
    offset: drive.offset(half, mood),
  };
  const lie = { bend: draw(drive.bend), climb: draw(drive.climb) };
  return {
    drawing: new Drawing(UNITS_WIDE, UNITS_WIDE / aspect),
    view: new View(camera, lie, aspect),
    light,
    plot: new Footprints(),
  };
}
