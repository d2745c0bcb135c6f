import { fromHalf } from "../../engine/tensor/half.js";
import type { HostTensor } from "../../engine/tensor/hostTensor.js";
import { float32 } from "../../engine/tensor/hostTensor.js";
import { readSafetensors } from "../../engine/tensor/safetensors.js";
import { UserError } from "../../platform/errors.js";
import { readPth } from "./pth.js";
import type { WeightsFile } from "./weightsFile.js";

/**
 * Weights from the bytes of a PyTorch checkpoint or a safetensors file, told apart by what is in them, not by their name.
 *
 * `file` is what to call the file in messages.
 */
export async function readWeights(bytes: Uint8Array, file: string): Promise<WeightsFile> {
  if (startsWith(bytes, "PK\x03\x04")) return readPth(bytes, file);
  const other = foreign.find(({ magic }) => startsWith(bytes, magic));
  if (other !== undefined) throw new UserError(`${file}: ${other.what}`, { hint: other.hint });
  if (looksLikeSafetensors(bytes)) return fromSafetensors(bytes, file);
  throw new UserError(`${file}: ${bytes.length} bytes that are neither a PyTorch checkpoint nor a safetensors file`, {
    hint: `it starts with ${[...bytes.subarray(0, 8)].map((byte) => byte.toString(16).padStart(2, "0")).join(" ")}`,
  });
}

const SAFETENSORS = "save it as safetensors, or as a PyTorch state_dict with torch.save";

/** What people also call weights, and what to do about it. The first match counts. */
const foreign: readonly { readonly magic: string; readonly what: string; readonly hint: string }[] = [
  {
    magic: "\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19",
    what: "was saved in PyTorch's format of before 1.6, which is not read",
    hint: 'with PyTorch 1.6 or newer: torch.save(torch.load(path, map_location="cpu"), path)',
  },
  { magic: "\x80", what: "is a bare Python pickle, not a torch.save archive", hint: SAFETENSORS },
  { magic: "\x89HDF", what: "is an HDF5 file (Keras?)", hint: SAFETENSORS },
  { magic: "\x93NUMPY", what: "is a single NumPy array", hint: SAFETENSORS },
  { magic: "GGUF", what: "is a GGUF file", hint: SAFETENSORS },
  { magic: "\x1f\x8b", what: "is packed with gzip", hint: "unpack it first" },
  { magic: "version https://git-lfs", what: "is a Git LFS pointer, not the file itself", hint: 'run "git lfs pull"' },
  { magic: "<", what: "is a web page or XML", hint: "the download gave an error page: fetch the file itself" },
];

const startsWith = (bytes: Uint8Array, magic: string): boolean =>
  [...magic].every((letter, i) => bytes[i] === letter.charCodeAt(0));

/** Eight bytes of length, then a JSON object. */
const looksLikeSafetensors = (bytes: Uint8Array): boolean => bytes[8] === "{".charCodeAt(0);

function fromSafetensors(bytes: Uint8Array, file: string): WeightsFile {
  const { tensors: all, metadata } = readSafetensors(bytes, file);
  const tensors = new Map<string, HostTensor>();
  const skipped: string[] = [];
  for (const [name, tensor] of Object.entries(all)) {
    if (tensor.dtype === "float32") tensors.set(name, tensor);
    else if (tensor.dtype === "float16") {
      const halves = tensor.data as Uint16Array;
      const values = new Float32Array(halves.length);
      for (let i = 0; i < values.length; i++) values[i] = fromHalf(halves[i]!);
      tensors.set(name, float32(tensor.shape, values));
    } else skipped.push(name);
  }
  return { format: "safetensors", tensors, skipped, place: [], metadata };
}
