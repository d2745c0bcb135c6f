import { palette } from "../world/colour.js";
import { upland } from "./upland.js";

/** Third target: roads between loch and mountain, under low cloud. */
export const highland = upland({
  // Heather, bracken, peat and some grass.
  moors: palette("#8a5a30 #a0713a #6f5a3a #9a8a52 #74684e #7d4a34 #b08c50 #6a4a52 #7d8a4a #6f8444 #8a9450 #88863c"),
  skies: palette("#b0b8c0 #8fa4c4 #bec0c2 #7a9eca #6c96cd"),
  hazeDistances: [80, 120, 200, 320],
  ridges: { slope: [0.09, 0.3], rock: 0.5, cloud: 0.4 },
});
