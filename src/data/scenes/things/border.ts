import type { Colour } from "../world/colour.js";
import type { World } from "../world/drawing.js";
import type { Run } from "../world/roadside.js";
import type { SeededRandom } from "../world/seededRandom.js";
import { type FenceKind, fence, wall } from "./furniture.js";
import { hedge } from "./vegetation.js";

export interface BorderLook {
  readonly kind: "wall" | "hedge" | FenceKind;
  readonly colour: Colour;
  /** Metres, or from how many to how many. */
  readonly height: number | readonly [low: number, high: number];
  /** How often a wall is of rough stones; always, if left out. */
  readonly stones?: number;
}

/** Whatever keeps the road and the land apart. */
export function border(world: World, chance: SeededRandom, look: BorderLook, run: Run): void {
  const { kind, colour } = look;
  const height = typeof look.height === "number" ? look.height : chance.between(look.height[0], look.height[1]);
  if (kind === "wall") {
    const stones = look.stones === undefined || chance.yes(look.stones);
    wall(world, chance, colour, { ...run, height, stones });
  } else if (kind === "hedge") hedge(world, chance, colour, { ...run, height });
  else fence(world, kind, colour, { ...run, height });
}
