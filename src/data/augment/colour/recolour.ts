import type { Random } from "../../../engine/tensor/random.js";
import type { Planes } from "../resample.js";
import type { ColourOptions } from "../view.js";

/** Other colours, in place (requirement A-6). */
export function recolour(
  _planes: Planes,
  _extent: readonly [height: number, width: number],
  colour: ColourOptions | "off",
  _random: Random,
): void {
  if (colour === "off") return;
}
