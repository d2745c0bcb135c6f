import pc from "picocolors";
import { print, printJson, printNote } from "../../platform/print.js";
import { command } from "../terminal/command.js";
import { required, texts, toggle } from "../terminal/flags.js";
import { printNext } from "../terminal/next.js";
import { requireOneFormat } from "../terminal/shared.js";
import { printBesidePaper } from "../terminal/study.js";

export const compare = command({
  name: "compare",
  about: "a table of results, best in bold",
  words: { paths: required(texts("<paths...>", "run folders or result files")) },
  flags: {
    json: toggle("print the table as JSON and nothing else"),
    csv: toggle("print it as comma-separated values"),
    latex: toggle("print it as LaTeX (booktabs, ulem)"),
  },
  async run({ paths, ...formats }, { library }) {
    requireOneFormat(formats);
    const notes: string[] = [];
    const onNote = (note: string): void => {
      notes.push(note);
      printNote(`note: ${note}`);
    };
    const tables = await library.compare(paths, { onNote });
    if (formats.json) printJson(library.tableRows(tables), 1);
    else if (formats.csv) print(library.tableCsv(tables));
    else if (formats.latex) print(library.tableLatex(tables));
    else {
      print(library.tableText(tables, { bold: pc.bold, strike: pc.strikethrough, faint: pc.dim }));
      await printBesidePaper(paths, library);
      // A report takes run folders that have results.
      if (notes.length === 0 && paths.every((path) => !path.endsWith(".json"))) printNext("report", ...paths);
    }
  },
});
