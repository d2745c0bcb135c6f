import { join } from "node:path";
import { print, printJson } from "../../platform/print.js";
import { command } from "../terminal/command.js";
import { type Library, required, text, texts } from "../terminal/flags.js";
import { afterPredicting, printNext } from "../terminal/next.js";
import { device, json, threads } from "../terminal/shared.js";
import { screenOn } from "../terminal/trainStatus.js";

export const predict = command({
  name: "predict",
  about:
    "predict images, videos and robot logs with an exported model: classes, uncertainty, and what is certain of each",
  words: {
    model: required(text("<model>", "file that gssl export wrote, or a run folder that has one")),
    inputs: required(
      texts(
        "<inputs...>",
        "images, folders of them, patterns such as 'drive/*.jpg', videos (with ffmpeg), robot logs (.mcap, or 'mcap:drive.mcap?topic=/camera/image')",
      ),
    ),
  },
  flags: {
    to: required(
      text(
        "<folder>",
        "where to write: index.html (the gallery), class/, uncertainty/, overlay/, certain/, predictions.json",
      ),
    ),
    device,
    threads,
    json,
  },
  async run({ model, inputs, json, ...options }, { library, signal }) {
    const screen = screenOn(process.stderr);
    let done = 0;
    const predictions = await library.predict(model, inputs, {
      ...options,
      signal,
      onImage: ({ id }) => screen.passing(`${++done} images, ${id}`),
      onSkipped: (_, reason) => screen.line(`skipped: ${reason}`),
    });
    screen.passing("");
    if (json) printJson(predictions, 1);
    else {
      for (const line of summary(predictions, options.to)) print(line);
      if (predictions.images.length > 0) {
        print(`next: open ${join(options.to, "index.html")} in a browser, or`);
        printNext(...afterPredicting(options.to));
      }
    }
    if (predictions.skipped.length > 0) process.exitCode = 1;
  },
});

type Predictions = Awaited<ReturnType<Library["predict"]>>;

/** Images named in the summary; predictions.json has them all. */
const MOST_NAMED = 10;

function* summary({ images, logs, skipped, outOfDomainRule }: Predictions, to: string): Generator<string> {
  const mean = images.reduce((total, { certain }) => total + certain, 0) / images.length;
  const certainty = images.length === 0 ? "" : `, ${(100 * mean).toFixed(1)} % of pixels certain`;
  const strange = images.filter(({ outOfDomain }) => outOfDomain);
  yield `${images.length === 1 ? "1 image" : `${images.length} images`}${certainty}${skipped.length === 0 ? "" : `; ${skipped.length} skipped`}`;
  if (strange.length > 0) {
    yield `${strange.length} out of domain (${outOfDomainRule}):`;
    for (const { id, distance } of strange.slice(0, MOST_NAMED)) yield `  ${id}  distance ${distance.toFixed(2)}`;
    if (strange.length > MOST_NAMED) yield `  and ${strange.length - MOST_NAMED} more`;
  }
  for (const { log, layout } of logs) yield `${join(to, log)}, with the layout ${join(to, layout)}`;
  yield `${join(to, "index.html")}, ${join(to, "predictions.json")}`;
}
