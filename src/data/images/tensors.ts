import { float32, type HostTensor, hostTensor } from "../../engine/tensor/hostTensor.js";
import { invariant } from "../../platform/errors.js";

/** Mean and standard deviation of ImageNet's red, green and blue, which pre-trained encoders expect to be taken out. */
export const MEAN = [0.485, 0.456, 0.406] as const;
export const DEVIATION = [0.229, 0.224, 0.225] as const;

/** Levels from 0 to 255, whole or between, height x width x 3. */
export interface ImageLevels {
  readonly width: number;
  readonly height: number;
  readonly rgb: Uint8Array | Float32Array;
}

/** Bytes, height x width x 3. */
export interface RgbImage extends ImageLevels {
  readonly rgb: Uint8Array;
}

/** Red, green and blue one after the other, each height x width, between 0 and 1. */
export type Planes = Float32Array;

/** Images of one size as what the network takes: float32 [N, 3, H, W], normalised as for ImageNet. */
export function imagesTensor(images: readonly ImageLevels[]): HostTensor {
  const { width, height } = images[0]!;
  const pixels = width * height;
  const data = new Float32Array(images.length * 3 * pixels);
  images.forEach((image, n) => {
    invariant(image.width === width && image.height === height, "images of one batch differ in size");
    for (let c = 0; c < 3; c++) {
      const [scale, offset] = [1 / (255 * DEVIATION[c]!), MEAN[c]! / DEVIATION[c]!];
      const start = (n * 3 + c) * pixels;
      for (let i = 0; i < pixels; i++) data[start + i] = image.rgb[i * 3 + c]! * scale - offset;
    }
  });
  return float32([images.length, 3, height, width], data);
}

/** Planes of red, green and blue between 0 and 1, normalised as for ImageNet, in place. */
export function normalise(planes: Float32Array): void {
  const pixels = planes.length / 3;
  for (let c = 0; c < 3; c++) {
    const [scale, offset] = [1 / DEVIATION[c]!, MEAN[c]! / DEVIATION[c]!];
    for (let i = c * pixels; i < (c + 1) * pixels; i++) planes[i] = planes[i]! * scale - offset;
  }
}

/** Label maps of one size as what a loss takes: int64 [N, H, W]. */
export function labelsTensor(maps: readonly Uint8Array[], [height, width]: readonly [number, number]): HostTensor {
  const data = new BigInt64Array(maps.length * height * width);
  // A label fits the low half of its int64. Writing halves is ten times faster than making a BigInt for each pixel.
  const halves = new Int32Array(data.buffer);
  maps.forEach((map, n) => {
    const start = n * height * width;
    for (let i = 0; i < map.length; i++) halves[2 * (start + i)] = map[i]!;
  });
  return hostTensor("int64", [maps.length, height, width], data);
}
