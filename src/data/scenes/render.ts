import type { Domain } from "./domains/domain.js";
import type { Extent } from "./world/grid.js";
import { develop } from "./world/lens.js";
import { SeededRandom } from "./world/seededRandom.js";

export interface Rendered {
  /** Bytes, height x width x 3. */
  readonly rgb: Uint8Array;
  /** Class ids, height x width; null when nobody asked, and then they were never drawn. */
  readonly labels: Uint8Array | null;
}

/** Draw one image of a domain; `key` names its randomness and decides every pixel. */
export function render(domain: Domain, key: string, extent: Extent, { labelled }: { labelled: boolean }): Rendered {
  const chance = new SeededRandom(key);
  const { drawing, lens } = domain(chance, extent.width / extent.height);
  const rgb = drawing.image(extent);
  develop(rgb, extent.width, extent.height, lens, chance.child("lens"));
  return { rgb, labels: labelled ? drawing.labels(extent) : null };
}
