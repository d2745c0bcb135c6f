import { render } from "./render.js";
import { domains, labelling, type ScenesSpec } from "./spec.js";

export interface Scene {
  readonly id: string;
  readonly width: number;
  readonly height: number;
  /** Bytes, height x width x 3. */
  readonly rgb: Uint8Array;
  /** Class ids, height x width, 19 for unknown; null for unlabelled splits. */
  readonly labels: Uint8Array | null;
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
