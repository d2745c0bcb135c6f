import { UserError } from "../../platform/errors.js";
import { print, printJson } from "../../platform/print.js";
import { command } from "../terminal/command.js";
import { commandLine } from "../terminal/commandLine.js";
import { choice, required, text, texts, toggle, usually } from "../terminal/flags.js";
import { methodHelp } from "../terminal/methodHelp.js";
import { printNext } from "../terminal/next.js";
import { progressOn } from "../terminal/progress.js";
import { cache, checkpoint, device, gmmPrior, json, plugin, sourceVal, threads } from "../terminal/shared.js";
import { screenOn } from "../terminal/trainStatus.js";

export const exportModel = command({
  name: "export",
  about:
    "one ONNX file from 8-bit images to class, similarity and certain (a baseline: class and uncertainty), compared with the trained network first; model.json and a card beside it",
  words: {
    run: required(text("<run>", "run folder of gssl train --method gamma-ssl; for baselines, of any training")),
  },
  flags: {
    method: usually(
      text("<name>", "gamma-ssl, or a baseline that needs one pass of one network, see below"),
      "gamma-ssl",
    ),
    to: text(
      "<path>",
      "a folder, or a file that ends in .onnx; model.onnx, or model.<baseline>.onnx, in the run folder when left out",
    ),
    checkpoint,
    gamma: text("<file>", "γ that gssl threshold wrote; that of training when left out"),
    fp16: toggle("also a file with weights in half precision, half the size"),
    int8: toggle("also a file that computes in 8-bit integers, a quarter of the size"),
    probabilities: toggle("one more output: K + 1 class probabilities of each pixel, the last for none of them"),
    calibrate: text("<spec>", "images to find the ranges of 8-bit integers on; the source when left out"),
    on: text("<spec>", "labelled images to measure what --fp16 and --int8 lose; the source when left out"),
    page: text("<folder>", "also write a web page that runs the model in its visitor's browser, as static files"),
    beside: texts("<models...>", "--page: exported models to compare with, on the same page"),
    examples: texts(
      "<images...>",
      "--page: images it begins with; drawn streets when left out and the model learned from such",
    ),
    training: toggle("--page: with a view in which visitors watch γ-SSL train on drawn streets (3.6 MB)"),
    sourceVal,
    gmmPrior: choice(
      "<how>",
      gmmPrior,
      "baselines: classes of a Gaussian mixture count by their shares, or even (default: shares)",
    ),
    device,
    threads,
    cache,
    plugin,
    json,
  },
  help: ({ exportableMethods }) => methodHelp(exportableMethods(), () => ""),
  async run({ run, json, gmmPrior: prior, page, beside = [], examples, training, ...options }, { library, signal }) {
    const screen = screenOn(process.stderr);
    if (page !== undefined) await library.checkSite(page, beside, { examples });
    else if (beside.length > 0 || examples !== undefined || training)
      throw new UserError("--beside, --examples and --training go with --page <folder>", { code: "bad-option" });
    const exported = await library.exportModel(run, {
      ...options,
      ...(prior && { baselines: { prior } }),
      command: commandLine(),
      onProgress: progressOn(screen),
      onNote: screen.line,
      signal,
    });
    const models = [...exported.files.map(({ path }) => path), ...beside];
    const site = page === undefined ? undefined : await library.writeSite(page, models, { examples, training });
    screen.passing("");
    if (json) printJson({ ...exported, ...(site !== undefined && { page: site }) }, 1);
    else {
      for (const line of library.describeExport(exported)) print(line);
      if (site !== undefined) print(`${site}  (a page for any web server; see docs/page.md)`);
      if (options.method === "gamma-ssl")
        printNext("predict", exported.files[0]!.path, "<folder of images>", "--to", "predictions");
    }
  },
});
