/** An `.npy` file as NumPy writes it: the head padded with spaces to a multiple of 64, ended by a line end. */
export function npyBytes(
  descr: string,
  shape: readonly number[],
  data: ArrayBufferView,
  { version = 1, fortran = false }: { version?: 1 | 2 | 3; fortran?: boolean } = {},
): Uint8Array {
  const sizes = `(${shape.join(", ")}${shape.length === 1 ? "," : ""})`;
  const dictionary = `{'descr': '${descr}', 'fortran_order': ${fortran ? "True" : "False"}, 'shape': ${sizes}, }`;
  const start = version === 1 ? 10 : 12;
  const length = Math.ceil((start + dictionary.length + 1) / 64) * 64;
  const bytes = new Uint8Array(length + data.byteLength).fill(0x20);
  bytes.set([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, version, 0]);
  const view = new DataView(bytes.buffer);
  if (version === 1) view.setUint16(8, length - start, true);
  else view.setUint32(8, length - start, true);
  bytes.set(new TextEncoder().encode(dictionary), start);
  bytes[length - 1] = 0x0a;
  bytes.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), length);
  return bytes;
}
