import type { View } from "../draw/compositor.js";

export const viewTitles: Readonly<Record<View, string>> = {
  image: "Image",
  segmentation: "Segmentation",
  uncertainty: "Uncertainty",
  certain: "Certain only",
};
