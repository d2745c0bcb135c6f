/// <reference lib="dom" />
import type { Runtime } from "../../../engine/runtime/runtime.js";
import { webRuntime } from "../../../engine/runtime/web.js";
import type { Tensors } from "../../../engine/tensor/hostTensor.js";
import { readSafetensors } from "../../../engine/tensor/safetensors.js";
import { packError } from "../../../platform/errors.js";
import { download } from "../engine/download.js";
import { deviceOf, loadOrt, type OrtModule } from "../engine/ort.js";
import { gpuRefusal } from "./gpuTest.js";
import type { News, TrainingStart, Wish } from "./protocol.js";
import { TabTraining } from "./tabTraining.js";

/** A worker that trains. Wishes are heard between steps. */
declare const self: {
  postMessage(message: News, transfer?: Transferable[]): void;
  onmessage: ((event: MessageEvent<TrainingStart | Wish>) => void) | null;
};

/** Of the test images, those that are shown. */
const SHOWN = 4;
/** Steps between two looks at the test images. */
const MEASURE_EVERY = 10;

let wish: Wish = "pause";
/** Ends the wait for the next wish. */
let wake = (): void => {};

self.onmessage = ({ data }) => {
  if (typeof data === "string") {
    wish = data;
    wake();
    return;
  }
  work(data).catch((error: unknown) => self.postMessage({ kind: "failed", error: packError(error) }));
};

async function work(start: TrainingStart): Promise<void> {
  const { training, kind } = start;
  const { ort, weights } = await load(start);
  const runtime = webRuntime(ort, { executionProviders: [kind] });
  const begin = (on: Runtime): TabTraining => new TabTraining(on, training, weights);
  let adapter: string | null = null;
  if (kind === "webgpu") {
    busy("testing WebGPU");
    const why = await gpuRefusal(runtime, webRuntime(ort, { executionProviders: ["wasm"] }), begin, start);
    if (why !== null) {
      self.postMessage({ kind: "refused", why });
      return;
    }
    const device = await deviceOf(ort);
    adapter = device.name;
    void device.lost.then((message) =>
      self.postMessage({ kind: "refused", why: `the graphics processor was lost (${message || "no reason given"})` }),
    );
  }
  busy("drawing streets");
  const tab = begin(runtime);
  const images = tab.test.slice(0, SHOWN).map(({ rgb, width, height }) => ({ rgb, width, height }));
  self.postMessage({ kind: "opened", shown: { images, measuredOn: tab.test.length, classes: tab.classes }, adapter });
  for (;;) {
    self.postMessage({ kind: "begun", steps: tab.steps });
    await prepare(tab);
    await train(tab);
    await wished("restart");
    wish = "pause";
    await tab.restart();
  }
}

/** The runtime and the weights, both at once. */
async function load(start: TrainingStart): Promise<{ readonly ort: OrtModule; readonly weights: Tensors }> {
  const { weights } = start.training;
  const total = weights.bytes + start.runtime.bytes;
  const received = { weights: 0, runtime: 0 };
  const counting = (part: keyof typeof received) => (bytes: number) => {
    received[part] = bytes;
    const progress = { received: received.weights + received.runtime, total };
    self.postMessage({ kind: "loading", progress });
  };
  const address = new URL(weights.file, start.base).href;
  const [ort, bytes] = await Promise.all([
    loadOrt(start, counting("runtime")),
    download({ ...weights, address }, counting("weights")),
  ]);
  return { ort, weights: readSafetensors(bytes, weights.file).tensors };
}

async function prepare(tab: TabTraining): Promise<void> {
  busy("building the training step");
  await tab.prepare();
  await measure(tab);
  self.postMessage({ kind: "ready" });
}

/** Step after step, until a pause or a new start is asked for. */
async function train(tab: TabTraining): Promise<void> {
  const { steps } = tab;
  await wished("run", "restart");
  while (tab.done < steps) {
    if (wish === "restart") return;
    if (wish === "pause") {
      self.postMessage({ kind: "paused" });
      await wished("run", "restart");
      continue;
    }
    const started = performance.now();
    const { scalars: measures } = await tab.step();
    const milliseconds = performance.now() - started;
    self.postMessage({ kind: "step", step: { step: tab.done, steps, measures, milliseconds } });
    if (tab.done % MEASURE_EVERY === 0 || tab.done === steps) await measure(tab);
    await heard();
  }
  self.postMessage({ kind: "finished" });
}

async function measure(tab: TabTraining): Promise<void> {
  const snapshot = await tab.measure();
  const measured = { ...snapshot, step: tab.done, maps: snapshot.maps.slice(0, SHOWN) };
  self.postMessage({ kind: "measured", measured });
}

const busy = (what: string): void => self.postMessage({ kind: "busy", what });

/** Let messages in that came while a step was computed: the runtime blocks this thread. */
const heard = (): Promise<void> => new Promise((done) => setTimeout(done));

async function wished(...some: readonly Wish[]): Promise<void> {
  await heard();
  while (!some.includes(wish)) {
    await new Promise<void>((done) => {
      wake = done;
    });
  }
}
