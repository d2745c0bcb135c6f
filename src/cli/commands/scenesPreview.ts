import { print } from "../../platform/print.js";
import { command } from "../terminal/command.js";
import { text, texts, usually } from "../terminal/flags.js";
import { seed } from "../terminal/shared.js";

export const scenesPreview = command({
  name: "scenes preview",
  about: "write a contact sheet of each place: images, and their labels beneath",
  words: {
    places: texts("[places...]", "city, dusk, night, town, forest, foothills, highland, wild; all when none is named"),
  },
  flags: {
    to: usually(text("<folder>", "where to write the sheets"), "runs/scenes"),
    seed: usually(seed("seed of the images"), "0"),
  },
  async run({ places = [], to, seed }, { library }) {
    for (const path of await library.previewScenes(places, { to, seed })) print(path);
  },
});
