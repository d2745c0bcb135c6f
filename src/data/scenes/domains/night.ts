import { city } from "./city.js";
import type { Domain } from "./domain.js";
import { weathers } from "./weather.js";

/** The city after dark: the same streets by the light of lamps, windows and headlights. */
export const night: Domain = (chance, aspect) => city(chance, aspect, weathers.night(chance.child("weather")));
