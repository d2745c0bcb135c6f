import { print, printJson } from "../../platform/print.js";
import { command } from "../terminal/command.js";
import { text } from "../terminal/flags.js";
import { json } from "../terminal/shared.js";

export const runs = command({
  name: "runs",
  about: "the runs of a folder: how far each is, and what it is trained on",
  words: { folder: text("[folder]", "folder of run folders (default: runs)") },
  flags: { json },
  async run({ folder = "runs", json }, { library }) {
    const listed = await library.listRuns(folder);
    if (json) return printJson(listed, 1);
    const rows = listed.map(({ folder, state, step, steps, method, source, targets }) => ({
      cells: [folder, state, `${step ?? 0}/${steps ?? "?"}`, method, [source, ...targets].join(" → ")],
    }));
    print(library.studyText([{ title: folder, head: ["run", "state", "steps", "method", "data"], rows, notes: [] }]));
  },
});
