import type { World } from "./drawing.js";
import type { Point } from "./view.js";

/** Too dim a sun throws no shadow worth drawing. */
export const SUN_SHADOWS = 0.14;

/**
 * Where the sun does not reach. All shadows of an image have one tone and lie next to each other in the painting order,
 * so they become one path, and where two overlap it is no darker than under one.
 */
export function sunShadow({ drawing, light }: World, outline: readonly Point[]): void {
  drawing.item("road", "shadow", 2).detail([outline], 0x05070f, Math.min(0.5, light.direct * 0.6));
}

/** The dark just under a thing that stands on the ground, sun or no sun. */
export function contactShadow({ drawing, light }: World, outline: readonly Point[]): void {
  drawing.item("road", "shadow", 1).detail([outline], 0x000000, 0.24 + 0.14 * light.ambient);
}
