import type { OnePassMethod } from "../parts/method.js";
import { gaussianMixture } from "./gaussianMixture.js";

/** DUM: a Gaussian mixture on a network whose norms are bounded (B-10). */
export const dum: OnePassMethod = {
  ...gaussianMixture,
  name: "dum",
  title: "DUM",
  aliases: ["ddu"],
  family: "representation",
  network: { kind: "spectral" },
};
