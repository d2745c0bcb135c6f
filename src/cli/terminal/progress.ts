import type { OnProgress } from "../../platform/watching.js";
import type { Screen } from "./trainStatus.js";

/** Progress as a line that is replaced. */
export const progressOn =
  (screen: Screen): OnProgress =>
  (what, done, total) =>
    screen.passing(`${what}: ${done}/${total}`);
