import { invariant } from "../../platform/errors.js";
import type { Node } from "../graph/value.js";

/** How a convolution moves over its image. */
export type Geometry = {
  readonly stride: number;
  readonly padding: number;
  readonly dilation: number;
  readonly groups: number;
};

/** How a node convolves, if that is what it does. */
export function geometryOf({ opType, attrs }: Node): Geometry | null {
  const { stride, padding, dilation, groups } = attrs;
  if (opType !== "Conv") return null;
  invariant(
    typeof stride === "number" &&
      typeof padding === "number" &&
      typeof dilation === "number" &&
      typeof groups === "number",
    `${opType} without a geometry`,
  );
  return { stride, padding, dilation, groups };
}
