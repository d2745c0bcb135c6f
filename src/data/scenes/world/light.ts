import { type Colour, ink, inkOf, mix } from "./colour.js";
import type { Ink } from "./fill.js";

/** Direction in the frame of the road: right, up, ahead. */
export type Vector = readonly [right: number, up: number, ahead: number];

/** Everything about how a place is lit; image only, labels never see it. */
export interface Light {
  /** Unit vector towards the sun. */
  readonly sun: Vector;
  /** Direct light, 0 (overcast) to about 0.8. */
  readonly direct: number;
  /** Light from the whole sky, which reaches every face. */
  readonly ambient: number;
  readonly directTint: Colour;
  readonly ambientTint: Colour;
  /** What far things fade into, and the distance in metres at which two thirds are gone. */
  readonly haze: Colour;
  readonly hazeDistance: number;
  /** What has settled on everything that faces up: snow, dust. */
  readonly cover?: { readonly colour: Colour; readonly share: number };
  /** Lamps, windows and headlights glow. */
  readonly night: boolean;
}

/** Unit vector from an azimuth (0 ahead, positive to the right) and an elevation, in degrees. */
export function sunAt(azimuth: number, elevation: number): Vector {
  const a = (azimuth * Math.PI) / 180;
  const e = (elevation * Math.PI) / 180;
  return [Math.sin(a) * Math.cos(e), Math.sin(e), Math.cos(a) * Math.cos(e)];
}

export const UP: Vector = [0, 1, 0];
export const TOWARDS_US: Vector = [0, 0, -1];

/** Share of a thing's own colour that is lost in haze at a distance. */
function hazeShare(light: Light, z: number): number {
  return 1 - Math.exp(-Math.max(0, z - 4) / light.hazeDistance);
}

/** A surface of this colour and this direction, seen from z metres away. */
export function lit(light: Light, colour: Colour, normal: Vector, z: number): Ink {
  const facing = Math.max(0, normal[0] * light.sun[0] + normal[1] * light.sun[1] + normal[2] * light.sun[2]);
  // Skylight comes from above, so undersides and walls get less of it than roofs and roads.
  const sky = (light.ambient * (0.82 + 0.18 * normal[1])) / 255;
  const sun = (light.direct * facing) / 255;
  const { cover, haze, ambientTint, directTint } = light;
  const seen = cover === undefined ? colour : mix(colour, cover.colour, cover.share * Math.max(0, normal[1]) ** 0.7);
  const lost = hazeShare(light, z);
  // Channel by channel and without small colours on the way: this is asked for every face of every thing.
  const red = seen[0] * (sky * ambientTint[0] + sun * directTint[0]);
  const green = seen[1] * (sky * ambientTint[1] + sun * directTint[1]);
  const blue = seen[2] * (sky * ambientTint[2] + sun * directTint[2]);
  return inkOf(red + (haze[0] - red) * lost, green + (haze[1] - green) * lost, blue + (haze[2] - blue) * lost);
}

/** Something that shines by itself, dimmed only by haze. */
export function glowing(light: Light, colour: Colour, z: number): Ink {
  return ink(mix(colour, light.haze, hazeShare(light, z) * 0.7));
}
