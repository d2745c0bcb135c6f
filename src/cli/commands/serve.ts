import { print, printJson, printNote } from "../../platform/print.js";
import { command } from "../terminal/command.js";
import { required, texts, toggle, usually, whole } from "../terminal/flags.js";
import { interrupted } from "../terminal/interrupted.js";
import { host, json, token, tokenOf } from "../terminal/shared.js";

export const serve = command({
  name: "serve",
  about:
    "answer over HTTP with exported models: images in, masks or JSON out; Open Inference Protocol v2; Prometheus metrics",
  words: {
    models: required(
      texts(
        "<models...>",
        "files that gssl export wrote, or run folders that have one; each named as the file without .onnx, or name=file",
      ),
    ),
  },
  flags: {
    host,
    port: usually(whole("<n>", [0, 65_535], "port to listen on; 0 takes a free one"), "8000"),
    token,
    allowOrigin: texts(
      "<origins...>",
      "origins whose pages may ask (CORS), e.g. https://example.com; * for all (default: none)",
    ),
    processes: whole("<n>", [1, 64], "processes for each model (default: 2)"),
    threads: whole("<n>", [1, 256], "threads of each process (default: the cores, shared out)"),
    queue: whole("<n>", [1, 10_000], "requests in the queue of a model; more get 503 (default: 32)"),
    mostBytes: whole("<n>", [1024, 2 ** 30], "larger bodies are refused (default: 8388608)"),
    mostPixels: whole("<n>", [256, 268_402_689], "images of more pixels are refused (default: 50000000)"),
    timeout: whole("<seconds>", [1, 3600], "from a request to its answer; longer ones are ended (default: 30)"),
    watch: toggle("reload model files that change; else they are reloaded on SIGHUP alone"),
    apiOnly: toggle("without the page that runs the models in a browser"),
    json,
  },
  async run({ models, token, allowOrigin, timeout, apiOnly, json, ...options }, { library, signal }) {
    const server = await library.serve(models, {
      ...options,
      token: await tokenOf(token, library),
      allowOrigins: allowOrigin,
      ...(timeout !== undefined && { timeouts: { answer: 1000 * timeout } }),
      ...(!apiOnly && { site: (served) => library.siteFiles(served, { training: true }) }),
      onNote: printNote,
    });
    const reload = (): void => void server.reload();
    process.on("SIGHUP", reload);
    if (json) printJson({ url: server.url, models: server.status() });
    else {
      for (const { name, file } of server.status()) print(`${name}: ${file}`);
      print(`listening on ${server.url} (Ctrl-C ends it)`);
      if (!apiOnly) print("next: open it in a browser, or");
      print(`next: curl --data-binary @image.jpg ${server.url}/v1/segment`);
    }
    await interrupted(signal);
    printNote("stopping: answering the requests in the queue first; Ctrl-C again stops at once");
    process.off("SIGHUP", reload);
    await server.close();
    // It was asked to stop, and did: nothing failed.
    process.exitCode = 0;
  },
});
