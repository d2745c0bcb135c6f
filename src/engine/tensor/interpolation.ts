import { float32, type HostTensor } from "./hostTensor.js";

/** A stretch of pixels along one axis, in pixel coordinates of the image it is cut from. */
export interface Span {
  readonly start: number;
  readonly length: number;
}

/**
 * How to sample: `corners` puts the first and last sample on the first and last pixel (align_corners=True in PyTorch),
 * `centres` treats pixels as squares and samples their centres (align_corners=False).
 */
export type Alignment = "corners" | "centres";

/**
 * Bilinear resampling along one axis as a matrix: [samples, pixels], each row adds up to 1.
 *
 * Cropping and resizing are linear, so an image is cropped and resized by one such matrix for its rows and one for its
 * columns, and gradients flow through them like through any product.
 */
export function interpolation(
  pixels: number,
  samples: number,
  alignment: Alignment,
  span: Span = { start: 0, length: pixels },
): HostTensor {
  const weights = new Float32Array(samples * pixels);
  const last = span.start + span.length - 1;
  for (let sample = 0; sample < samples; sample++) {
    const place =
      alignment === "corners"
        ? span.start + (samples === 1 ? 0 : (sample * (span.length - 1)) / (samples - 1))
        : Math.max(span.start, span.start + ((sample + 0.5) * span.length) / samples - 0.5);
    const left = Math.min(Math.floor(place), last);
    const right = Math.min(left + 1, last);
    const share = Math.min(1, Math.max(0, place - left));
    weights[sample * pixels + left]! += 1 - share;
    weights[sample * pixels + right]! += share;
  }
  return float32([samples, pixels], weights);
}
