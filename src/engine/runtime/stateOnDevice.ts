import type { InferenceSession, Tensor as OrtTensor, TensorConstructor } from "onnxruntime-common";
import { input } from "../graph/value.js";
import { writeModel } from "../onnx/writeModel.js";
import { type HostTensor, type Tensors, totalBytes } from "../tensor/hostTensor.js";
import { hostResult, requireFeeds, runSession } from "./ortProgram.js";
import type { Carried, Signature, StatefulProgram } from "./runtime.js";

/** Opens a model whose named outputs stay on the device, as `gpu-buffer` tensors; the others come to the host. */
export type OpenSession = (
  model: Uint8Array,
  stay: ReadonlySet<string>,
  role: "program" | "copy",
) => Promise<InferenceSession>;

/** The option of a session that keeps outputs on the device. */
export const onDevice = (
  stay: ReadonlySet<string>,
): Pick<InferenceSession.SessionOptions, "preferredOutputLocation"> =>
  stay.size === 0 ? {} : { preferredOutputLocation: Object.fromEntries([...stay].map((name) => [name, "gpu-buffer"])) };

type OnDevice = Readonly<Record<string, OrtTensor>>;

const free = (tensors: Iterable<OrtTensor>): void => {
  for (const tensor of tensors) tensor.dispose();
};

/**
 * State that stays in the memory of a GPU: the outputs of a run are the inputs of the next, and only batch, scalars and measures travel.
 *
 * A tensor on the device is never read directly (in Node that ends the process): models that do nothing but hand tensors through
 * bring the state there and back.
 */
export async function stateOnDevice(
  open: OpenSession,
  Tensor: TensorConstructor,
  model: Uint8Array,
  signature: Signature,
  { outputs, start }: Carried,
): Promise<StatefulProgram> {
  const carried = [...outputs].flatMap(([name, output]) => (output === null ? [] : [[name, output] as const]));
  const session = await open(model, new Set(carried.map(([, output]) => output)), "program");
  const handing = handedThrough(start);
  const wrap = ({ dtype, data, shape }: HostTensor): OrtTensor => new Tensor(dtype, data, shape);
  const wrapAll = (tensors: Tensors): Record<string, OrtTensor> =>
    Object.fromEntries(Object.entries(tensors).map(([name, tensor]) => [name, wrap(tensor)]));
  const fed = new Map([...signature.inputs].filter(([name]) => !Object.hasOwn(start, name)));
  const measured = [...signature.outputs].filter(([name]) => !carried.some(([, output]) => output === name));
  const names = Object.keys(start);
  // A tensor lies in memory of the session that made it: this one stays open as long as they do.
  const upload = await open(handing, new Set(names.map(handed)), "copy");
  const download = await open(handing, new Set(), "copy");
  const first = await runSession(upload, wrapAll(start));
  let state: OnDevice = Object.fromEntries(names.map((name) => [name, first[handed(name)]!]));
  let movedBytes = 0;
  return {
    async run(feeds, accept) {
      requireFeeds(fed, feeds);
      const own = Object.fromEntries([...fed.keys()].map((name) => [name, feeds[name]!]));
      const found = await runSession(session, { ...state, ...wrapAll(own) });
      const results = Object.fromEntries(measured.map(([name, type]) => [name, hostResult(name, type, found[name]!)]));
      movedBytes = totalBytes(own) + totalBytes(results);
      const next = Object.fromEntries(carried.map(([name, output]) => [name, found[output]!]));
      const isKept = accept(results);
      free(Object.keys(next).map((name) => (isKept ? state[name]! : next[name]!)));
      if (isKept) state = { ...state, ...next };
      return results;
    },
    async state() {
      const found = await runSession(download, state);
      const named = Object.entries(start).map(([name, type]) => [name, hostResult(name, type, found[handed(name)]!)]);
      return Object.fromEntries(named);
    },
    movedBytes: () => movedBytes,
    async close() {
      free(Object.values(state));
      for (const one of [session, upload, download]) await one.release();
    },
  };
}

const handed = (name: string): string => `handed.${name}`;

/** A model that gives back what it takes. */
function handedThrough(tensors: Tensors): Uint8Array {
  const through = Object.entries(tensors).map(([name, type]) => [handed(name), input(name, type)] as const);
  return writeModel({ outputs: Object.fromEntries(through) }).bytes;
}
