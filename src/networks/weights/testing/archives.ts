/** Pieces to build checkpoints from, good and bad. */

/** A zip archive of stored parts, without checksums: our reader, like PyTorch's, looks at none. */
export function storedZip(parts: Readonly<Record<string, Uint8Array>>): Uint8Array {
  const chunks: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let at = 0;
  for (const [name, data] of Object.entries(parts)) {
    const path = text(name);
    const sizes = [...uint32(0), ...uint32(data.length), ...uint32(data.length), ...uint16(path.length), ...uint16(0)];
    const plain = [...uint16(10), ...uint16(0), ...uint16(0), ...uint32(0)];
    const header = Uint8Array.from([...text("PK\x03\x04"), ...plain, ...sizes, ...path]);
    const tail = [...uint16(0), ...uint16(0), ...uint16(0), ...uint32(0), ...uint32(at), ...path];
    directory.push(Uint8Array.from([...text("PK\x01\x02"), ...uint16(10), ...plain, ...sizes, ...tail]));
    chunks.push(header, data);
    at += header.length + data.length;
  }
  const listed = joined(directory);
  const counts = [...uint16(0), ...uint16(0), ...uint16(directory.length), ...uint16(directory.length)];
  const end = [...text("PK\x05\x06"), ...counts, ...uint32(listed.length), ...uint32(at), ...uint16(0)];
  return joined([...chunks, listed, Uint8Array.from(end)]);
}

export const text = (letters: string): Uint8Array => new TextEncoder().encode(letters);
const uint16 = (value: number): number[] => [value & 255, value >> 8];
const uint32 = (value: number): number[] => [0, 8, 16, 24].map((by) => (value >>> by) & 255);

function joined(chunks: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(chunks.reduce((total, chunk) => total + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

/** A pickle from opcodes: letters stand for themselves, numbers are bytes, and the whole ends in a stop. */
export const pickle = (...ops: readonly (string | number | readonly number[])[]): Uint8Array =>
  Uint8Array.from([0x80, 2, ...ops.flatMap((op) => (typeof op === "string" ? [...text(op)] : op)), 0x2e]);

/** Opcodes that push a text, a small number, a tuple. */
export const say = (letters: string): number[] => [0x58, ...uint32(text(letters).length), ...text(letters)];
export const int = (value: number): number[] => [0x4a, ...uint32(value)];
export const tuple = (...items: readonly (readonly number[])[]): number[] => [0x28, ...items.flat(), 0x74];
export const named = (module: string, member: string): number[] => [...text(`c${module}\n${member}\n`)];

/** Opcodes that push a tensor of one storage of this many floats. */
export function tensor(options: {
  readonly key?: string;
  readonly elements: number;
  readonly offset?: number;
  readonly shape: readonly number[];
  readonly strides: readonly number[];
}): number[] {
  const { key = "0", elements, offset = 0, shape, strides } = options;
  const storage = [...tuple(say("storage"), named("torch", "FloatStorage"), say(key), say("cpu"), int(elements)), 0x51];
  const hooks = [...named("collections", "OrderedDict"), 0x29, 0x52];
  const args = tuple(storage, int(offset), tuple(...shape.map(int)), tuple(...strides.map(int)), [0x89], hooks);
  return [...named("torch._utils", "_rebuild_tensor_v2"), ...args, 0x52];
}

/** A checkpoint of one dictionary: pairs of key and value opcodes. */
export const dictionary = (...pairs: readonly (readonly [string, readonly number[]])[]): Uint8Array =>
  pickle([0x7d, 0x28], ...pairs.flatMap(([key, value]) => [say(key), value]), "u");
