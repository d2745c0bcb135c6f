import { palette } from "../world/colour.js";
import { upland } from "./upland.js";

/** On the way to the highland: its roads, its camera and its rain, between low green hills. */
export const foothills = upland({
  // Grass, and some heather.
  moors: palette("#9a8a52 #8a9450 #7d8a4a #6f8444 #8a9450 #88863c #7d8a4a #6f8444 #74684e #9a8a52"),
  skies: palette("#b0b8c0 #8fa4c4 #7a9eca #7a9eca #6c96cd"),
  hazeDistances: [200, 320],
  ridges: { slope: [0.03, 0.1], rock: 0, cloud: 0.1 },
});
