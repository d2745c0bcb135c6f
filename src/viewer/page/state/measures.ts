import type { SiteModel } from "../../manifest.js";
import type { Maps } from "../engine/protocol.js";

/** What is counted in the maps of an image. */
export interface Measures {
  /** Share of pixels whose score is at least γ. */
  readonly certain: number;
  /** Share of each class, and how much of that share is certain. */
  readonly classes: readonly { readonly share: number; readonly certain: number }[];
}

export function measure({ classes, score }: Maps, gamma: number, count: number): Measures {
  const least = Math.fround(gamma);
  const [all, sure] = [new Uint32Array(count), new Uint32Array(count)];
  let certain = 0;
  for (let i = 0; i < score.length; i++) {
    const yes = score[i]! >= least ? 1 : 0;
    certain += yes;
    all[classes[i]!]!++;
    sure[classes[i]!]! += yes;
  }
  return {
    certain: certain / score.length,
    classes: Array.from(all, (here, k) => ({ share: here / score.length, certain: here === 0 ? 0 : sure[k]! / here })),
  };
}

/** Where γ may be moved: over the whole scale of the score, or over the scores of an image. */
export function rangeOf({ scoreRange }: SiteModel, maps: Maps | null): readonly [number, number] {
  if (scoreRange !== null) return scoreRange;
  if (maps === null) return [-1, 0];
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const score of maps.score) {
    if (score < least) least = score;
    if (score > most) most = score;
  }
  return [least, most];
}

/** The score that a share of the pixels reaches. */
export function scoreAt({ score }: Maps, share: number): number {
  const sorted = score.toSorted();
  return sorted[Math.min(sorted.length - 1, Math.floor((1 - share) * sorted.length))]!;
}
