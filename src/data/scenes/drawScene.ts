import type { Domain } from "./domains/domain.js";
import { domains, labelling, type ScenesSpec } from "./spec.js";
import type { Extent } from "./world/grid.js";
import { develop } from "./world/lens.js";
import { SeededRandom } from "./world/seededRandom.js";

/** An image that was drawn. */
interface Rendered {
  /** Bytes, height x width x 3. */
  readonly rgb: Uint8Array;
  /** Class ids, height x width, 19 for unknown; null when not asked for: they are then never drawn. */
  readonly labels: Uint8Array | null;
}

export interface Scene extends Rendered {
  readonly id: string;
  readonly width: number;
  readonly height: number;
}

/** One image. Its randomness is keyed by seed, domain, split and index: not by count, size or anything drawn before. */
export function drawScene(spec: ScenesSpec, index: number): Scene {
  const { domain, split, seed, width, height } = spec;
  const labelled = labelling(domain, split) === "labelled";
  const key = `${seed}/${domain}/${split}/${index}`;
  const image = render(domains[domain].draw, key, { width, height }, { labelled });
  return { id: sceneId(spec, index), width, height, ...image };
}

export function sceneId({ domain, split }: Pick<ScenesSpec, "domain" | "split">, index: number): string {
  return `${domain}-${split}-${String(index).padStart(6, "0")}`;
}

/** Draw one image of a domain; `key` names its randomness and decides every pixel. */
export function render(domain: Domain, key: string, extent: Extent, { labelled }: { labelled: boolean }): Rendered {
  const chance = new SeededRandom(key);
  const { drawing, lens } = domain(chance, extent.width / extent.height);
  const rgb = drawing.image(extent);
  develop(rgb, extent.width, extent.height, lens, chance.child("lens"));
  return { rgb, labels: labelled ? drawing.labels(extent) : null };
}
