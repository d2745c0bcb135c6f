import { print, printJson } from "../../platform/print.js";
import { command } from "../terminal/command.js";
import { commandLine } from "../terminal/commandLine.js";
import { number, required, text, toggle, usually, whole } from "../terminal/flags.js";
import { printNext } from "../terminal/next.js";
import { progressOn } from "../terminal/progress.js";
import { cache, checkpoint, device, json, plugin, seed, threads } from "../terminal/shared.js";
import { screenOn } from "../terminal/trainStatus.js";

export const threshold = command({
  name: "threshold",
  about: "solve γ again on unlabelled images of another place: as many certain pixels as two views agree on",
  words: { run: required(text("<run>", "run folder of gssl train --method gamma-ssl")) },
  flags: {
    target: required(text("<spec>", "images of the place it is for; labels beside them are not opened")),
    share: number(
      "<x>",
      "instead, the γ that leaves this share of all pixels certain",
      "a number above 0, at most 1",
      (value) => value > 0 && value <= 1,
    ),
    views: usually(whole("<n>", [1, 1000], "pairs of views of each image"), "4"),
    seed: usually(seed("decides the views"), "0"),
    compareLabels: toggle("afterwards, compare γ with the labels of the same images"),
    checkpoint,
    device,
    threads,
    cache,
    plugin,
    json,
  },
  async run({ run, json, ...options }, { library, signal }) {
    const screen = screenOn(process.stderr);
    const watching = { onProgress: progressOn(screen), signal, command: commandLine() };
    const { threshold: solved, file, card } = await library.solveThreshold(run, { ...options, ...watching });
    screen.passing("");
    if (json) printJson(solved, 1);
    else {
      print(library.thresholdCard(solved));
      for (const line of ["", file, card]) print(line);
      printNext("export", run, "--gamma", file);
    }
  },
});
