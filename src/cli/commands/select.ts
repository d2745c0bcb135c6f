import { join } from "node:path";
import { print, printJson } from "../../platform/print.js";
import { command } from "../terminal/command.js";
import { required, text, usually, whole } from "../terminal/flags.js";
import { printNext } from "../terminal/next.js";
import { progressOn } from "../terminal/progress.js";
import { cache, device, json, plugin, threads } from "../terminal/shared.js";
import { screenOn } from "../terminal/trainStatus.js";

/** Images named in the summary; selection.json has them all. */
const MOST_NAMED = 5;

export const select = command({
  name: "select",
  about: "choose images to label, uncertain ones that differ, and write them for CVAT and as COCO",
  words: { model: required(text("<model>", "file that gssl export wrote, or the folder of its run")) },
  flags: {
    on: required(text("<spec>", "images to choose from; labels beside them are not opened")),
    count: usually(whole("<n>", [1, 10_000], "how many"), "20"),
    to: required(
      text(
        "<folder>",
        "where to write images.zip, annotations.zip and labels.json (for CVAT), coco.json, selection.json",
      ),
    ),
    device,
    threads,
    cache,
    plugin,
    json,
  },
  async run({ model, json, ...options }, { library, signal }) {
    const screen = screenOn(process.stderr);
    const selection = await library.selectImages(model, {
      ...options,
      signal,
      onProgress: progressOn(screen),
      onNote: (note) => screen.line(note),
    });
    screen.passing("");
    if (json) {
      printJson(selection, 1);
      return;
    }
    const { images } = selection;
    print(`${images.length === 1 ? "1 image" : `${images.length} images`} to label, in the order of choosing:`);
    for (const { name, uncertain } of images.slice(0, MOST_NAMED)) {
      print(`  ${name}  ${(100 * uncertain).toFixed(1)} % uncertain`);
    }
    if (images.length > MOST_NAMED) print(`  and ${images.length - MOST_NAMED} more`);
    const file = (name: string): string => join(options.to, name);
    print(`in CVAT: a task with the labels of ${file("labels.json")} (Raw) and the images of ${file("images.zip")};`);
    print(
      `then upload ${file("annotations.zip")} as "Segmentation mask 1.1", label what is black, and export the same format`,
    );
    const source = ["--source", "<the labelled data set>", "--to", "<folder>"];
    printNext("merge", "<the export>", "--selection", options.to, ...source);
  },
});
