import type { HostTensor } from "../../engine/tensor/hostTensor.js";
import { size } from "../../engine/tensor/shape.js";
import { type PickleRules, RESAVE, readPickle } from "./pickle.js";
import { Global, type Pickled } from "./pickleMachine.js";
import { quoted, type Refuse, refuser } from "./refusal.js";
import { findStateDict } from "./stateDict.js";
import { bytesPerElement, holdsFloats, Storage, StridedTensor, storageKinds } from "./storage.js";
import type { WeightsFile } from "./weightsFile.js";
import { type Archive, openArchive } from "./zip.js";

/** The only names a checkpoint may mention. None of them is ever run: each stands for a shape of data we know. */
const ORDERED_DICT = "collections.OrderedDict";
const TENSOR = "torch._utils._rebuild_tensor_v2";
const PARAMETER = "torch._utils._rebuild_parameter";
const storageClasses = new Map(storageKinds.map((kind) => [`torch.${kind}`, kind]));
const allowed = new Set([ORDERED_DICT, TENSOR, PARAMETER, ...storageClasses.keys()]);

const MAX_PICKLE_BYTES = 8 * 1024 * 1024;
const MAX_AXES = 8;

/**
 * A PyTorch checkpoint (`torch.save`, zip format), read without running anything in it.
 *
 * Floating-point tensors of any precision become float32; whole-number ones, such as `num_batches_tracked`, are named in `skipped`.
 */
export async function readPth(bytes: Uint8Array, file: string): Promise<WeightsFile> {
  const refuse = refuser(file);
  const archive = await openArchive(bytes, refuse);
  const root = await rootOf(archive, refuse);
  const pickle = (await archive.read(`${root}data.pkl`))!;
  if (pickle.length > MAX_PICKLE_BYTES)
    refuse(`its pickle has ${pickle.length} bytes, at most ${MAX_PICKLE_BYTES} are read`);
  const { place, entries } = findStateDict(readPickle(pickle, rulesFor(refuse), refuse), refuse);
  const floats = [...entries].filter(([, { storage }]) => holdsFloats(storage.kind));
  // Several tensors may share a storage, so a small file could ask for any amount of memory.
  const elements = floats.reduce((total, [, tensor]) => total + size(tensor.shape), 0);
  if (elements > archive.unpackedBytes)
    refuse(`describes ${elements} numbers, more than its ${archive.unpackedBytes} bytes hold`);

  const tensors = new Map<string, HostTensor>();
  const unpacked = new Map<string, Uint8Array | undefined>(); // so that a shared storage is unpacked once
  for (const [name, tensor] of floats) {
    const key = `${root}data/${tensor.storage.key}`;
    if (!unpacked.has(key)) unpacked.set(key, await archive.read(key));
    const data = unpacked.get(key) ?? refuse(`tensor ${quoted(name)} lies in ${quoted(key)}, which is missing`);
    const held = Math.min(tensor.storage.elements, Math.floor(data.length / bytesPerElement(tensor.storage.kind)));
    if (tensor.reach > held) {
      refuse(`tensor ${quoted(name)} needs ${tensor.reach} numbers of ${quoted(key)}, which holds ${held}`);
    }
    tensors.set(name, tensor.materialise(data));
  }
  const skipped = [...entries].filter(([, { storage }]) => !holdsFloats(storage.kind)).map(([name]) => name);
  return { format: "pth", tensors, skipped, place, metadata: {} };
}

/** The folder inside the archive that everything lies in. */
async function rootOf({ names, read }: Archive, refuse: Refuse): Promise<string> {
  if (names.some((name) => name.endsWith(".npy"))) refuse("is a NumPy archive (.npz)", "save it as safetensors");
  if (names.some((name) => /(^|\/)constants\.pkl$/.test(name))) refuse("is a TorchScript program", RESAVE);
  const pickles = names.filter((name) => /^([^/]+\/)?data\.pkl$/.test(name));
  if (pickles.length !== 1) refuse(`is a zip archive with ${pickles.length} parts called data.pkl, wanted one`);
  const root = pickles[0]!.slice(0, -"data.pkl".length);
  const order = await read(`${root}byteorder`);
  if (order !== undefined && new TextDecoder().decode(order) !== "little") {
    refuse("was saved on a big-endian machine", "save it again on a usual one");
  }
  return root;
}

function rulesFor(refuse: Refuse): PickleRules {
  return {
    global(name) {
      if (!allowed.has(name)) {
        refuse(`refers to ${quoted(name)}, which is not needed to hold weights; nothing was run`, RESAVE);
      }
      return new Global(name);
    },
    call({ name }, args) {
      if (name === ORDERED_DICT && args.length === 0) return new Map();
      if (name === TENSOR) return tensorFrom(args, refuse);
      if (name === PARAMETER && args[0] instanceof StridedTensor) return args[0];
      return refuse(`calls ${quoted(name)} with ${args.length} arguments of a kind that torch.save does not write`);
    },
    persistent(id) {
      const [word, kind, key, , elements] = Array.isArray(id) ? id : [];
      const storage = kind instanceof Global ? storageClasses.get(kind.name) : undefined;
      if (word !== "storage" || storage === undefined || typeof key !== "string" || !isCount(elements)) {
        return refuse("refers to something outside its pickle that is not a storage");
      }
      return new Storage(storage, key, elements);
    },
  };
}

const isCount = (value: Pickled | undefined): value is number => Number.isSafeInteger(value) && Number(value) >= 0;
const areCounts = (value: Pickled | undefined): value is number[] =>
  Array.isArray(value) && value.length <= MAX_AXES && value.every(isCount);

function tensorFrom([storage, offset, shape, strides]: readonly Pickled[], refuse: Refuse): StridedTensor {
  const described = storage instanceof Storage && isCount(offset) && areCounts(shape) && areCounts(strides);
  if (!described || shape.length !== strides.length) return refuse("describes a tensor in a way torch.save does not");
  // Repeated elements (stride 0) would let a few bytes stand for any amount of memory.
  if (size(shape) > storage.elements) {
    refuse(`has a tensor [${shape.join(", ")}] on a storage of ${storage.elements}`, "save it after .contiguous()");
  }
  return new StridedTensor(storage, offset, [...shape], [...strides]);
}
