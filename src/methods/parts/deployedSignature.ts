import type { Signature } from "../../engine/runtime/runtime.js";
import type { OpenType } from "../../engine/tensor/shape.js";

const MAP = [1, "height", "width"];
const inputs = new Map<string, OpenType>([["image", { dtype: "uint8", shape: [...MAP, 3] }]]);
/** What a deployed graph takes, and what it says of pixels, at any height and width. */
export const pixelSignature = {
  inputs,
  outputs: new Map<string, OpenType>([
    ["class", { dtype: "uint8", shape: MAP }],
    ["similarity", { dtype: "float32", shape: MAP }],
    ["certain", { dtype: "uint8", shape: MAP }],
  ]),
} satisfies Signature;

/** A deployed model also says how far the image is from those of its training. */
export const deployedSignature = {
  inputs,
  outputs: new Map<string, OpenType>([...pixelSignature.outputs, ["distance", { dtype: "float32", shape: [1] }]]),
} satisfies Signature;

/** The same with the distribution of Eq. 4 over so many known classes and "unknown", [1, H, W, K + 1]. */
export const withProbabilities = (classes: number): Signature => ({
  inputs,
  outputs: new Map<string, OpenType>([
    ...deployedSignature.outputs,
    ["probabilities", { dtype: "float32", shape: [...MAP, classes + 1] }],
  ]),
});

/** The same of a baseline: it has no γ, so the caller decides what counts as certain. */
export const baselineSignature = {
  inputs,
  outputs: new Map<string, OpenType>([
    ["class", { dtype: "uint8", shape: MAP }],
    ["uncertainty", { dtype: "float32", shape: MAP }],
  ]),
} satisfies Signature;
