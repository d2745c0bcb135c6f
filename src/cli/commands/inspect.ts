import { print, printJson } from "../../platform/print.js";
import { command } from "../terminal/command.js";
import { required, text, texts, usually, whole } from "../terminal/flags.js";
import { afterInspect, printNext } from "../terminal/next.js";
import { progressOn } from "../terminal/progress.js";
import { cache, json, plugin } from "../terminal/shared.js";
import { screenOn } from "../terminal/trainStatus.js";

export const inspect = command({
  name: "inspect",
  about: "check data sets before anything is trained on them: what is in them, and what is wrong",
  words: {
    specs: required(
      texts("<specs...>", 'data sets, e.g. "camvid:data/camvid?split=train" or a folder of your own (docs/data.md)'),
    ),
  },
  flags: {
    to: usually(text("<folder>", "where to write the contact sheet"), "runs/inspect"),
    sheet: usually(whole("<n>", [0, 1000], "images of each data set on the contact sheet; 0 for none"), "12"),
    cache,
    plugin,
    json,
  },
  async run({ specs, json, ...options }, { library, signal }) {
    const screen = screenOn(process.stderr);
    const say = json ? () => {} : print;
    const { datasets, leaks, contactSheet } = await library.inspect(specs, {
      ...options,
      signal,
      onProgress: progressOn(screen),
      onChecked(checked) {
        screen.passing("");
        for (const line of library.describeDataset(checked)) say(line);
        say("");
      },
    });
    if (leaks.length > 0)
      for (const line of ["images in two of the data sets:", ...library.describeProblems(leaks)]) say(line);
    else if (datasets.length > 1) say("no image is in two of the data sets");
    if (contactSheet !== null) say(`contact sheet: ${contactSheet}`);
    if (json) {
      const checks = datasets.map(({ check: { hashes: _, stamps: __, ...check } }) => check);
      printJson({ datasets: checks, leaks, contactSheet }, 1);
    }
    const problems = [...leaks, ...datasets.flatMap(({ check }) => check.problems)];
    if (problems.some(({ severity }) => severity === "error")) process.exitCode = 1;
    else if (!json) {
      const found = datasets.map(({ dataset }, i) => ({ spec: specs[i]!, labelled: dataset.labelling !== null }));
      const words = afterInspect(found);
      if (words !== undefined) printNext(...words);
    }
  },
});
