import { heat } from "../../data/images/heat.js";
import type { Choice } from "./choice.js";
import type { ByteMap } from "./pixels.js";

/** Everything needed to paint one image for one method; maps carry their value in every fourth byte. */
export interface Layers {
  readonly image: ByteMap | null;
  readonly labels: ByteMap;
  readonly predicted: ByteMap;
  readonly levels: ByteMap;
}

/** What became of an image at a threshold, over the pixels shown that are scored. */
export interface Outcome {
  readonly kept: number;
  readonly right: number;
  readonly wrongKept: number;
}

const UNKNOWN = 254;
const VOID = 255;

/** Okabe and Ito's vermilion for mistakes that slip through, sky blue for those that are caught. */
const SLIPPED = [213, 94, 0] as const;
const CAUGHT = [86, 180, 233] as const;

/** The prediction over the image, pixels above the level black. Returns what became of the pixels. */
export function paintKept(out: Uint8ClampedArray, layers: Layers, choice: Choice, level: number): Outcome {
  const { image, labels, predicted, levels } = layers;
  const colours = choice.place.classes.map(({ colour }) => colour);
  const { opacity, hidden } = choice;
  const unscored = new Set(choice.place.unscored);
  let [scored, kept, right] = [0, 0, 0];
  for (let i = 0; i < out.length; i += 4) {
    const certain = levels[i]! <= level;
    const answer = predicted[i]!;
    if (!unscored.has(labels[i]!)) {
      scored++;
      if (certain) kept++;
      if (certain && labels[i] === answer) right++;
    }
    out[i + 3] = 255;
    if (!certain) {
      out[i] = out[i + 1] = out[i + 2] = 0;
      continue;
    }
    const colour = colours[answer];
    const share = colour === undefined || hidden.has(answer) ? 0 : opacity;
    for (let c = 0; c < 3; c++) {
      const below = image === null ? 235 : image[i + c]!;
      out[i + c] = below + share * ((colour?.[c] ?? 0) - below);
    }
  }
  const all = scored || 1;
  return { kept: kept / all, right: kept === 0 ? 0 : right / kept, wrongKept: (kept - right) / all };
}

/** The left pane: the image, the true classes, the uncertainty, or the mistakes, caught and not. */
export function paintLeft(out: Uint8ClampedArray, layers: Layers, choice: Choice, level: number): void {
  const { image, labels, predicted, levels } = layers;
  const colours = choice.place.classes.map(({ colour }) => colour);
  const unscored = new Set(choice.place.unscored);
  const top = Math.max(1, choice.current.levels.certain.length - 1);
  for (let i = 0; i < out.length; i += 4) {
    const label = labels[i]!;
    out[i + 3] = 255;
    if (choice.left === "uncertainty") {
      heat(out, i, Math.min(1, levels[i]! / top));
      continue;
    }
    const { focus } = choice;
    const wrong =
      focus === null
        ? !unscored.has(label) && label !== predicted[i]
        : label === focus.label && predicted[i] === focus.predicted;
    const mistake = wrong ? (levels[i]! <= level ? SLIPPED : CAUGHT) : undefined;
    const grey = image === null ? 235 : 0.3 * image[i]! + 0.59 * image[i + 1]! + 0.11 * image[i + 2]!;
    for (let c = 0; c < 3; c++) {
      const below = image === null ? 235 : image[i + c]!;
      if (choice.left === "image") out[i + c] = below;
      else if (choice.left === "mistakes") out[i + c] = mistake === undefined ? 255 - 0.55 * (255 - grey) : mistake[c]!;
      else if (choice.hidden.has(label)) out[i + c] = below;
      else {
        const colour = label === UNKNOWN ? 255 : label === VOID ? 0 : (colours[label]?.[c] ?? 0);
        out[i + c] = below + choice.opacity * (colour - below);
      }
    }
  }
}
