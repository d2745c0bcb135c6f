/// <reference lib="dom" />
import { drawnPixels } from "../../../data/images/canvasPixels.js";
import type { RgbImage } from "../../../data/images/tensors.js";
import { type LoadedModel, loadModel } from "../../../deployment/model/segment.js";
import type { Runtime } from "../../../engine/runtime/runtime.js";
import { webInference } from "../../../engine/runtime/webInference.js";
import { floats } from "../../../engine/tensor/hostTensor.js";
import { imageOutputs } from "../../../inference/imageOutputs.js";
import { packError, UserError } from "../../../platform/errors.js";
import type { SiteModel } from "../../manifest.js";
import { download } from "./download.js";
import { deviceOf, loadOrt, type OrtModule } from "./ort.js";
import type { Answer, Call, Maps, Opened, Progress, Start } from "./protocol.js";
import { testTile } from "./testTile.js";

/** A worker that computes with one kind of ONNX Runtime. Calls are answered one after the other. */
declare const self: {
  postMessage(message: Answer, transfer?: Transferable[]): void;
  onmessage: ((event: MessageEvent<Start | Call>) => void) | null;
};

interface Engine {
  readonly ort: OrtModule;
  readonly runtime: Runtime;
}

let start: Start;
let engine: Promise<Engine> | undefined;
let watched = false;
let queue: Promise<void> = Promise.resolve();
const models = new Map<string, LoadedModel>();

self.onmessage = ({ data }) => {
  if ("kind" in data) {
    start = data;
    return;
  }
  queue = queue.then(() => answer(data));
};

async function answer(call: Call): Promise<void> {
  const { id } = call;
  try {
    if (call.call === "open") {
      const opened = await open(...call.given, (progress) => self.postMessage({ id, progress }));
      self.postMessage({ id, answer: opened });
      return;
    }
    const maps =
      call.call === "tile"
        ? await computed(modelOf(call.given[0]), testTile)
        : await segment(modelOf(call.given[0]), call.given[1]);
    self.postMessage({ id, answer: maps }, [maps.classes.buffer, maps.score.buffer]);
  } catch (error) {
    self.postMessage({ id, error: packError(error) });
  }
}

async function startEngine(given: Start, onProgress: OnBytes): Promise<Engine> {
  const ort = await loadOrt(given, onProgress);
  return { ort, runtime: webInference(ort, { executionProviders: [given.kind] }) };
}

type OnBytes = (bytes: number) => void;

async function open(model: SiteModel, onProgress: (progress: Progress) => void): Promise<Opened> {
  const { file, bytes, name, sha256 } = model;
  const total = bytes + (engine === undefined ? start.runtime.bytes : 0);
  const received = { model: 0, runtime: 0 };
  const counting =
    (part: keyof typeof received): OnBytes =>
    (count) => {
      received[part] = count;
      onProgress({ received: received.model + received.runtime, total });
    };
  engine ??= startEngine(start, counting("runtime"));
  const wanted = { ...model, address: new URL(file, start.base).href };
  const [{ ort, runtime }, contents] = await Promise.all([engine, download(wanted, counting("model"))]);
  models.set(sha256, await loadModel(runtime, contents, { file: name }));
  return { threads: start.threads, adapter: start.kind === "webgpu" ? await watchDevice(ort) : null };
}

/** Tell when the graphics processor is gone. Gives its name. */
async function watchDevice(ort: OrtModule): Promise<string> {
  const { name, lost } = await deviceOf(ort);
  if (!watched) {
    watched = true;
    void lost.then((why) => self.postMessage({ lost: why }));
  }
  return name;
}

function modelOf(sha256: string): LoadedModel {
  const model = models.get(sha256);
  if (model === undefined) throw new UserError("this model is not loaded");
  return model;
}

async function segment(model: LoadedModel, bitmap: ImageBitmap): Promise<Maps> {
  const image = drawnPixels(bitmap, bitmap);
  bitmap.close();
  return computed(model, image);
}

async function computed({ image: program, description }: LoadedModel, image: RgbImage): Promise<Maps> {
  const started = performance.now();
  const outputs = await imageOutputs(program, image);
  const milliseconds = performance.now() - started;
  const score =
    description.gamma === null
      ? floats(outputs.uncertainty, "uncertainty").map((value) => -value)
      : floats(outputs.similarity, "similarity").slice();
  const classes = (outputs.class!.data as Uint8Array).slice();
  const distance = description.distanceFrom === null ? null : floats(outputs.distance, "distance")[0]!;
  return { width: image.width, height: image.height, classes, score, distance, milliseconds };
}
