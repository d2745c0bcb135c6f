import { print, printJson } from "../../platform/print.js";
import { command } from "../terminal/command.js";
import { names, required, text } from "../terminal/flags.js";
import { printNext } from "../terminal/next.js";
import { progressOn } from "../terminal/progress.js";
import { cache, json, plugin } from "../terminal/shared.js";
import { screenOn } from "../terminal/trainStatus.js";

export const merge = command({
  name: "merge",
  about: "add images that gssl select chose, and that were labelled in CVAT, to the labelled data set",
  words: {
    labelled: required(text("<labelled>", 'what CVAT exported as "Segmentation mask 1.1": the zip, or its folder')),
  },
  flags: {
    selection: required(text("<folder>", "the folder that gssl select wrote")),
    source: required(text("<spec>", "labelled data set to add them to; it is not changed")),
    to: required(text("<folder>", "a new folder for both together")),
    unknown: names(
      "<labels>",
      "labels that are no class of the source, joined by commas: things that fit none of them",
    ),
    cache,
    plugin,
    json,
  },
  async run({ labelled, json, ...options }, { library, signal }) {
    const screen = screenOn(process.stderr);
    const merged = await library.mergeLabels(labelled, { ...options, signal, onProgress: progressOn(screen) });
    screen.passing("");
    if (json) {
      printJson(merged, 1);
      return;
    }
    print(`${merged.source} images of the source, ${merged.added} added: ${merged.spec}`);
    if (merged.unlabelled.length > 0) print(`not labelled yet: ${merged.unlabelled.join(", ")}`);
    printNext("train", "--source", merged.spec, "--target", "<unlabelled images>", "--to", "runs/next");
  },
});
