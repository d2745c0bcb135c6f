import { city } from "./city.js";
import { desert } from "./desert.js";
import type { Domain } from "./domain.js";
import { forest } from "./forest.js";
import { town } from "./town.js";
import { highland } from "./upland.js";
import { weathers } from "./weather.js";

/** Test only: every other place on a bad day, and a desert nobody trained on. */
export const wild: Domain = (chance, aspect) => {
  const mood = chance.child("wild");
  const trouble = mood.pick(["night", "snow", "rain", "glare", "fog", "desert"] as const);
  if (trouble === "desert") return desert(chance, aspect);
  const place = mood.pick([city, city, town, town, forest, highland]);
  return place(chance, aspect, weathers[trouble](mood));
};
