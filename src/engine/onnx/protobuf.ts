import { BinaryReader, BinaryWriter, WireType } from "@bufbuild/protobuf/wire";

/** One field of a message. Methods, so that a table may hold fields of several types. */
export interface Field<T> {
  readonly number: number;
  /** What stands for the field in a message without it. */
  absent(): T;
  /** The value after the next occurrence: a repeated field has one for each of its values, or for many that are packed. */
  read(reader: BinaryReader, wire: WireType, before: T): T;
  write(writer: BinaryWriter, value: T): void;
}

export type Fields = Readonly<Record<string, Field<unknown>>>;

/** A message as an object. Fields that its table does not name are kept with their tags, and written again. */
export type Message<F extends Fields> = { -readonly [K in keyof F]: F[K] extends Field<infer T> ? T : never } & {
  unknown?: Uint8Array[];
};

/** What a field holds. */
export interface Kind<T> {
  readonly wire: WireType;
  read(reader: BinaryReader): T;
  write(writer: BinaryWriter, value: T): void;
}

export const int32: Kind<number> = { wire: WireType.Varint, read: (r) => r.int32(), write: (w, x) => w.int32(x) };
export const int64: Kind<bigint> = {
  wire: WireType.Varint,
  read: (r) => BigInt(r.int64()),
  write: (w, x) => w.int64(x),
};
export const float: Kind<number> = { wire: WireType.Bit32, read: (r) => r.float(), write: (w, x) => w.float(x) };
export const text: Kind<string> = {
  wire: WireType.LengthDelimited,
  read: (r) => r.string(),
  write: (w, x) => w.string(x),
};
export const bytes: Kind<Uint8Array> = {
  wire: WireType.LengthDelimited,
  read: (r) => r.bytes(),
  write: (w, x) => w.bytes(x),
};
export const message = <F extends Fields>(fields: F): Kind<Message<F>> => ({
  wire: WireType.LengthDelimited,
  read: (r) => decode(fields, r.bytes()),
  write: (w, x) => w.bytes(encode(fields, x)),
});

/** A field that is there or not: a zero that is written is another thing than none. */
export const optional = <T>(number: number, kind: Kind<T>): Field<T | undefined> => ({
  number,
  absent: () => undefined,
  read: (reader, wire) => readOne(reader, wire, kind),
  write: (writer, value) => {
    if (value !== undefined) kind.write(writer.tag(number, kind.wire), value);
  },
});

/** Text that means the same empty and absent. */
export const name = (number: number): Field<string> => ({
  number,
  absent: () => "",
  read: (reader, wire) => readOne(reader, wire, text),
  write: (writer, value) => {
    if (value !== "") text.write(writer.tag(number, text.wire), value);
  },
});

export const repeated = <T>(number: number, kind: Kind<T>): Field<T[]> => ({
  number,
  absent: () => [],
  read(reader, wire, before) {
    if (wire === kind.wire || wire !== WireType.LengthDelimited) {
      before.push(readOne(reader, wire, kind));
      return before;
    }
    const packed = new BinaryReader(reader.bytes());
    while (packed.pos < packed.len) before.push(kind.read(packed));
    return before;
  },
  write(writer, values) {
    for (const value of values) kind.write(writer.tag(number, kind.wire), value);
  },
});

function readOne<T>(reader: BinaryReader, wire: WireType, kind: Kind<T>): T {
  if (wire !== kind.wire) throw new Error(`wire type ${wire} where ${kind.wire} belongs`);
  return kind.read(reader);
}

/** A message with what is given of its fields. */
export const create = <F extends Fields>(fields: F, given: Partial<Message<F>>): Message<F> => ({
  ...empty(fields),
  ...given,
});

const empty = <F extends Fields>(fields: F): Message<F> =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.absent()])) as Message<F>;

export function decode<F extends Fields>(fields: F, data: Uint8Array): Message<F> {
  const byNumber = new Map(Object.entries(fields).map(([name, field]) => [field.number, [name, field] as const]));
  const values: Record<string, unknown> = empty(fields);
  const unknown: Uint8Array[] = [];
  const reader = new BinaryReader(data);
  while (reader.pos < reader.len) {
    const start = reader.pos;
    const [number, wire] = reader.tag();
    const [name, field] = byNumber.get(number) ?? [];
    if (field !== undefined) values[name!] = field.read(reader, wire, values[name!]);
    else {
      reader.skip(wire, number);
      unknown.push(data.subarray(start, reader.pos));
    }
  }
  return { ...values, ...(unknown.length > 0 && { unknown }) } as Message<F>;
}

/** The bytes of a message, its fields in the order of their numbers. */
export function encode<F extends Fields>(fields: F, { unknown = [], ...values }: Message<F>): Uint8Array {
  const writer = new BinaryWriter();
  const sorted = Object.entries(fields).sort(([, a], [, b]) => a.number - b.number);
  for (const [name, field] of sorted) field.write(writer, (values as Record<string, unknown>)[name]);
  for (const raw of unknown) writer.raw(raw);
  return writer.finish();
}
