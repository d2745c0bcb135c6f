import type { InferenceSession, Tensor as OrtTensor, TensorConstructor } from "onnxruntime-common";
import { UserError } from "../../platform/errors.js";
import { printable } from "../../platform/printable.js";
import { bytesPerElement, type HostArray, type HostTensor, hostTensor, type Tensors } from "../tensor/hostTensor.js";
import { fits, type OpenType, type Shape, show, size } from "../tensor/shape.js";
import type { Program, Signature } from "./runtime.js";

export interface OrtFlavour {
  readonly Tensor: TensorConstructor;
  /** Whether `run` computes straight into the arrays of tensors passed as fetches; where not, results are copied there. */
  readonly fillsFetches: boolean;
  /** Free unreferenced arrays, before a program with large outputs makes new ones. */
  collectGarbage?(): void;
}

/** Outputs of this many bytes are worth a look for dead ones. */
const LARGE_OUTPUTS = 32 * 2 ** 20;

/** ONNX Runtime logs nothing less: what it says is in its errors too, and its log would print names of a model's tensors as they are. */
export const FATAL = 4;

/** The code of errors about what a model gives. */
export const MODEL_OUTPUT = "model-output";

/** The code of errors of the runtime itself, e.g. out of memory. */
export const RUNTIME_FAILED = "runtime-failed";

/** A session of any onnxruntime flavour behind our own interface, with feeds checked before the runtime sees them. */
export function ortProgram(session: InferenceSession, flavour: OrtFlavour, { inputs, outputs }: Signature): Program {
  requireNames("inputs", session.inputNames, inputs);
  requireNames("outputs", session.outputNames, outputs);
  const { Tensor, fillsFetches } = flavour;
  const wrap = ({ dtype, data, shape }: HostTensor): OrtTensor => new Tensor(dtype, data, shape);
  const bytes = [...outputs.values()].reduce(
    (total, { dtype, shape }) => total + (isClosed(shape) ? size(shape) * bytesPerElement(dtype) : 0),
    0,
  );
  return {
    async run(feeds, into = {}) {
      if (bytes >= LARGE_OUTPUTS) flavour.collectGarbage?.();
      requireFeeds(inputs, feeds);
      requireRoom(outputs, into);
      const wrapped = Object.fromEntries([...inputs.keys()].map((name) => [name, wrap(feeds[name]!)]));
      const fetches = Object.fromEntries(
        [...outputs.keys()].map((name) => [name, fillsFetches && into[name] ? wrap(into[name]) : null]),
      );
      const results = await runSession(session, wrapped, fetches);
      return Object.fromEntries(
        [...outputs].map(([name, type]) => {
          const given = into[name];
          if (given !== undefined && fillsFetches) return [name, given];
          const made = hostResult(name, type, results[name]!);
          return [name, given === undefined ? made : copyInto(given, made)];
        }),
      );
    },
    close: () => session.release(),
  };
}

/** Run a session; what it says when it fails becomes ours. */
export const runSession = (
  session: InferenceSession,
  feeds: Readonly<Record<string, OrtTensor>>,
  fetches: Readonly<Record<string, OrtTensor | null>> = Object.fromEntries(
    session.outputNames.map((name) => [name, null]),
  ),
): Promise<InferenceSession.OnnxValueMapType> =>
  session.run(feeds, fetches).catch((cause: unknown) => {
    throw new UserError(`the runtime failed: ${messageOf(cause)}`, { code: RUNTIME_FAILED, cause });
  });

/** A result of a session, if it is what was promised. */
export function hostResult(name: string, { dtype, shape }: OpenType, { type, data, dims }: OrtTensor): HostTensor {
  if (type !== dtype || !fits(dims, shape)) {
    const found = `${type}[${dims.join(", ")}]`;
    throw new UserError(`the model gives "${name}" as ${found}, wanted ${show({ dtype, shape })}`, {
      code: MODEL_OUTPUT,
    });
  }
  return hostTensor(dtype, dims, data as HostArray);
}

/** A foreign model may have other inputs and outputs than its metadata say. */
function requireNames(role: string, found: readonly string[], wanted: ReadonlyMap<string, OpenType>): void {
  const missing = [...wanted.keys()].filter((name) => !found.includes(name));
  if (missing.length === 0) return;
  throw new UserError(`the model has no ${role} "${missing.join('", "')}"`, {
    hint: `it has: ${printable(found.join(", ").slice(0, 200))}`,
  });
}

const isClosed = (shape: OpenType["shape"]): shape is Shape => shape.every((extent) => typeof extent === "number");

/** Names of nodes and tensors are in it, which may be anything. */
const messageOf = (cause: unknown): string =>
  printable(cause instanceof Error ? cause.message : String(cause)).slice(0, 1000);

/** What a session says when it cannot be made. */
export const refusedModel = (device: string, cause: unknown): UserError =>
  new UserError(`ONNX Runtime (${device}) refused the model: ${messageOf(cause)}`, { cause });

function copyInto(given: HostTensor, made: HostTensor): HostTensor {
  const bytes = ({ data }: HostTensor): Uint8Array => new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  bytes(given).set(bytes(made));
  return given;
}

/** Refuse feeds that are missing or do not fit, by name. */
export function requireFeeds(inputs: Signature["inputs"], feeds: Tensors): void {
  for (const [name, type] of inputs) {
    const feed = feeds[name];
    if (feed === undefined) {
      throw new UserError(`input "${name}" ${show(type)} was not given`, {
        hint: `given: ${Object.keys(feeds).join(", ") || "nothing"}`,
      });
    }
    requireFit("input", name, type, feed);
  }
}

function requireRoom(outputs: Signature["outputs"], into: Tensors): void {
  for (const [name, tensor] of Object.entries(into)) {
    const type = outputs.get(name);
    if (type === undefined)
      throw new UserError(`there is no output "${name}"`, { hint: `outputs: ${[...outputs.keys()].join(", ")}` });
    requireFit("output", name, type, tensor);
  }
}

function requireFit(role: string, name: string, type: OpenType, { dtype, shape, data }: HostTensor): void {
  if (dtype !== type.dtype || !fits(shape, type.shape)) {
    throw new UserError(`${role} "${name}" is ${show({ dtype, shape })}, wanted ${show(type)}`);
  }
  if (data.length !== size(shape)) {
    throw new UserError(`${role} "${name}" ${show(type)} has an array of ${data.length} elements`);
  }
}
