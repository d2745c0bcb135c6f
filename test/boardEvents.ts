import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";

/** A protobuf message as a table of field numbers; the last of each wins. */
export type Fields = Readonly<Record<number, unknown>>;

export function fieldsOf(bytes: Uint8Array): Fields {
  const reader = new BinaryReader(bytes);
  const fields: Record<number, unknown> = {};
  while (reader.pos < reader.len) {
    const [field, wire] = reader.tag();
    if (wire === WireType.Bit64) fields[field] = reader.double();
    else if (wire === WireType.Bit32) fields[field] = reader.float();
    else if (wire === WireType.Varint) fields[field] = Number(reader.int64());
    else fields[field] = reader.bytes();
  }
  return fields;
}

export const text = (bytes: unknown): string => new TextDecoder().decode(bytes as Uint8Array);

/** Every event of a folder, in the order in which TensorBoard reads them. */
export async function eventsOf(folder: string): Promise<Fields[]> {
  const names = (await readdir(folder)).sort();
  const events: Fields[] = [];
  for (const name of names) {
    const bytes = await readFile(join(folder, name));
    for (let at = 0; at < bytes.length; ) {
      const length = Number(bytes.readBigUInt64LE(at));
      events.push(fieldsOf(bytes.subarray(at + 12, at + 12 + length)));
      at += length + 16;
    }
  }
  return events;
}
