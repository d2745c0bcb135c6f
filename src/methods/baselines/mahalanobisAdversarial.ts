import { mean } from "../../engine/ops/reduce.js";
import type { AdversarialMethod } from "../parts/method.js";
import { GRADIENT_NEEDED } from "./adversarial.js";
import { distanceToNearest, mahalanobis } from "./mahalanobis.js";

/** Step sizes to try (Lee et al., 2018); no step last, since the first is the default. */
const STEPS = [0.0005, 0.001, 0.0014, 0.002, 0.005, 0.01, 0] as const;

/** FeatDist_A: the Mahalanobis distance on an image moved towards the nearest class (Lee et al., 2018; B-8). */
export const mahalanobisAdversarial: AdversarialMethod = {
  name: "mahalanobis-a",
  title: "FeatDist_A",
  family: "representation",
  network: "source",
  obstacle: GRADIENT_NEEDED,
  kind: "adversarial",
  basis: mahalanobis,
  settings: () => STEPS.map((epsilon) => ({ epsilon })),
  objective: ({ features }, fitted) => mean(distanceToNearest(features, fitted)),
};
