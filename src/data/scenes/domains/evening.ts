import { city } from "./city.js";
import type { Domain } from "./domain.js";
import { weathers } from "./weather.js";

/** The city in the evening, from the last light until it is nearly dark: the same streets, lamps and windows lit. */
export const dusk: Domain = (chance, aspect) => city(chance, aspect, weathers.dusk(chance.child("weather")));

/** The city after dark, by the light of lamps, windows and headlights. */
export const night: Domain = (chance, aspect) => city(chance, aspect, weathers.night(chance.child("weather")));
