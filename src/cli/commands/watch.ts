import { print, printJson, printNote } from "../../platform/print.js";
import { command } from "../terminal/command.js";
import { required, texts, whole } from "../terminal/flags.js";
import { interrupted } from "../terminal/interrupted.js";
import { host, json, token, tokenOf } from "../terminal/shared.js";

export const watch = command({
  name: "watch",
  about: "a page that shows trainings as they go, or as they went: losses, γ, validations, sample predictions",
  words: { runs: required(texts("<runs...>", "run folders; several are drawn over each other")) },
  flags: {
    host,
    port: whole("<n>", [0, 65_535], "port to listen on (default: a free one)"),
    token,
    json,
  },
  async run({ runs, token, json, ...options }, { library, signal }) {
    const dashboard = await library.watch(runs, {
      ...options,
      token: await tokenOf(token, library),
      onNote: printNote,
    });
    if (json) printJson({ url: dashboard.url, runs });
    else {
      print(`listening on ${dashboard.url} (Ctrl-C ends it; trainings go on)`);
      print("next: open it in a browser");
    }
    await interrupted(signal);
    await dashboard.close();
    // It was asked to stop, and did: nothing failed.
    process.exitCode = 0;
  },
});
