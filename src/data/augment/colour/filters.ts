import type { Planes } from "../../images/tensors.js";
import { clamp } from "./channels.js";

type Extent = readonly [height: number, width: number];

/** Nine weights, row by row, around a pixel. */
type Kernel = readonly [number, number, number, number, number, number, number, number, number];

/**
 * Between a smoothed image (factor 0) and the image itself (factor 1); above 1, sharper. In place.
 *
 * As Pillow, torchvision and kornia do it: smoothed is the mean of the 3 x 3 pixels around one, itself counted five times;
 * pixels at the border keep their value.
 */
export function sharpen(planes: Planes, extent: Extent, factor: number): void {
  const around = (1 - factor) / 13;
  const self = 5 * around + factor;
  filter(planes, extent, [around, around, around, around, self, around, around, around, around], "border kept");
}

/**
 * Each pixel becomes the mean of three places on a line through it, one pixel apart. In place.
 *
 * The line is at `angle` degrees against the rows, anticlockwise. The places behind, at and before the pixel count (1 + d)/3,
 * 1/3 and (1 - d)/3 for a direction d from -1 to 1, as in kornia; a place between pixels is shared by them bilinearly.
 * Beyond the border lies the pixel at the border.
 */
export function motionBlur(planes: Planes, extent: Extent, angle: number, direction: number): void {
  filter(planes, extent, motionKernel(angle, direction), "border repeated");
}

export function motionKernel(angle: number, direction: number): Kernel {
  const kernel: [...Kernel] = [0, 0, 0, 0, 0, 0, 0, 0, 0];
  const radians = (angle * Math.PI) / 180;
  [(1 + direction) / 3, 1 / 3, (1 - direction) / 3].forEach((weight, i) => {
    const [x, y] = [(i - 1) * Math.cos(radians), -(i - 1) * Math.sin(radians)];
    for (let row = -1; row <= 1; row++) {
      for (let column = -1; column <= 1; column++) {
        const share = Math.max(0, 1 - Math.abs(x - column)) * Math.max(0, 1 - Math.abs(y - row));
        kernel[3 * (row + 1) + column + 1]! += weight * share;
      }
    }
  });
  return kernel;
}

/** Every pixel becomes the weighted sum of the nine around it, within 0 and 1. In place. */
function filter(
  planes: Planes,
  [height, width]: Extent,
  [k0, k1, k2, k3, k4, k5, k6, k7, k8]: Kernel,
  border: "border kept" | "border repeated",
): void {
  const skip = border === "border kept" ? 1 : 0;
  // The three rows in question as they were, with a pixel more at each end.
  const copy = (line: Float32Array, from: number): void => {
    line.set(planes.subarray(from, from + width), 1);
    line[0] = line[1]!;
    line[width + 1] = line[width]!;
  };
  let [above, here, below] = [0, 1, 2].map(() => new Float32Array(width + 2)) as [
    Float32Array,
    Float32Array,
    Float32Array,
  ];
  for (let channel = 0; channel < 3; channel++) {
    const plane = channel * height * width;
    copy(here, plane);
    copy(below, plane);
    for (let y = 0; y < height; y++) {
      [above, here, below] = [here, below, above];
      copy(below, plane + Math.min(y + 1, height - 1) * width);
      if (y < skip || y >= height - skip) continue;
      const to = plane + y * width;
      for (let x = skip; x < width - skip; x++) {
        const upper = k0 * above[x]! + k1 * above[x + 1]! + k2 * above[x + 2]!;
        const middle = k3 * here[x]! + k4 * here[x + 1]! + k5 * here[x + 2]!;
        const lower = k6 * below[x]! + k7 * below[x + 1]! + k8 * below[x + 2]!;
        planes[to + x] = clamp(upper + middle + lower);
      }
    }
  }
}
