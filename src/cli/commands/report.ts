import { print, printNote } from "../../platform/print.js";
import { command } from "../terminal/command.js";
import { required, text, texts } from "../terminal/flags.js";

export const report = command({
  name: "report",
  about: "one HTML file with tables, curves and images that follow a threshold; opens offline",
  words: { runs: required(texts("<runs...>", "run folders")) },
  flags: {
    to: text("<path>", "a folder, or a file that ends in .html; report.html in the first run folder when left out"),
  },
  async run({ runs, to }, { library }) {
    const { file, bytes, files } = await library.report(runs, { to, onNote: (note) => printNote(`note: ${note}`) });
    print(`${file}  (${(bytes / 1e6).toFixed(1)} MB, opens offline; ${files.length} files in report/ beside it)`);
    print(`next: open ${file} in a browser`);
  },
});
