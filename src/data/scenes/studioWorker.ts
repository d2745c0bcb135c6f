/** What a thread of the studio runs: a spec and an index come in, an image goes out. */
import { parentPort } from "node:worker_threads";
import { invariant } from "../../platform/errors.js";
import { drawScene } from "./drawScene.js";
import type { ScenesSpec } from "./spec.js";

const port = parentPort;
invariant(port !== null, "studioWorker.js runs on a thread of the studio, not by itself");
port.on("message", ({ spec, index }: { spec: ScenesSpec; index: number }) => {
  const scene = drawScene(spec, index);
  const { rgb, labels } = scene;
  // The pixels move over instead of being copied.
  port.postMessage(
    scene,
    [rgb, ...(labels === null ? [] : [labels])].map(({ buffer }) => buffer as ArrayBuffer),
  );
});
