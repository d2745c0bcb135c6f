import { type Colour, css, mix, scale, through } from "./colour.js";

/** Direction in the frame of the road: right, up, ahead. */
export type Vector = readonly [right: number, up: number, ahead: number];

/** Everything about how a place is lit; photo only, labels never see it. */
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
export function hazeShare(light: Light, z: number): number {
  return 1 - Math.exp(-Math.max(0, z - 4) / light.hazeDistance);
}

/** A surface of this colour and this direction, seen from z metres away. */
export function lit(light: Light, colour: Colour, normal: Vector, z: number): string {
  const facing = Math.max(0, normal[0] * light.sun[0] + normal[1] * light.sun[1] + normal[2] * light.sun[2]);
  // Skylight comes from above, so undersides and walls get less of it than roofs and roads.
  const sky = light.ambient * (0.82 + 0.18 * normal[1]);
  const settled = light.cover === undefined ? 0 : light.cover.share * Math.max(0, normal[1]) ** 0.7;
  const seen = light.cover === undefined ? colour : mix(colour, light.cover.colour, settled);
  const fromSky = through(scale(seen, sky), light.ambientTint);
  const fromSun = through(scale(seen, light.direct * facing), light.directTint);
  const total: Colour = [fromSky[0] + fromSun[0], fromSky[1] + fromSun[1], fromSky[2] + fromSun[2]];
  return css(mix(total, light.haze, hazeShare(light, z)));
}

/** Something that shines by itself, dimmed only by haze. */
export function glowing(light: Light, colour: Colour, z: number): string {
  return css(mix(colour, light.haze, hazeShare(light, z) * 0.7));
}
