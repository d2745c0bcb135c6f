const MAGIC = 0x184d2204;
/** No lz4 is denser: a byte that lengthens a match stands for at most 255. */
const MOST_RATIO = 255;
const SHORTEST_MATCH = 4;
const LONG = 32;

/**
 * Decompress one lz4 frame of a known size.
 *
 * Written here because the package that viewers use keeps the state of a frame that failed, so that the sound chunk after it fails too.
 * Checksums inside the frame are passed over: chunks of a log have one of their own.
 */
export function decompressLz4(bytes: Uint8Array, size: number): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 7 || view.getUint32(0, true) !== MAGIC) throw new RangeError("it does not begin as lz4 does");
  if (size > MOST_RATIO * bytes.length) throw new RangeError(`${bytes.length} bytes of lz4 cannot make ${size}`);
  const flags = bytes[4]!;
  if (flags >> 6 !== 1) throw new RangeError(`its lz4 is of version ${flags >> 6}, wanted 1`);
  const has = (bit: number): number => (flags >> bit) & 1;
  if (has(0) === 1) throw new RangeError("its lz4 needs a dictionary");
  const blockChecksum = 4 * has(4);
  let at = 4 + 2 + 8 * has(3) + 1;
  const out = new Uint8Array(size);
  let made = 0;
  for (;;) {
    const head = view.getUint32(at, true);
    at += 4;
    if (head === 0) break;
    const length = head & 0x7fff_ffff;
    if (length > bytes.length - at) throw new RangeError("a block of its lz4 is cut off");
    const block = bytes.subarray(at, at + length);
    made = head >>> 31 === 1 ? copyBlock(block, out, made) : decompressBlock(block, out, made);
    at += length + blockChecksum;
  }
  return out.subarray(0, made);
}

function copyBlock(block: Uint8Array, out: Uint8Array, made: number): number {
  if (block.length > out.length - made) throw new RangeError("its lz4 makes more than it says");
  out.set(block, made);
  return made + block.length;
}

/** Literals, then a match in what was made before, again and again; matches may reach into earlier blocks, and overlap themselves. */
function decompressBlock(block: Uint8Array, out: Uint8Array, start: number): number {
  let made = start;
  let at = 0;
  /** 15 in a token says that bytes follow which lengthen it, the last one below 255. */
  const longer = (length: number): number => {
    if (length < 15) return length;
    let total = length;
    for (;;) {
      if (at >= block.length) throw new RangeError("a length in its lz4 is cut off");
      const more = block[at++]!;
      total += more;
      if (more < 255) return total;
    }
  };
  while (at < block.length) {
    const token = block[at++]!;
    const literals = longer(token >> 4);
    if (literals > block.length - at || literals > out.length - made)
      throw new RangeError("its lz4 has too many literals");
    // Most are a few bytes, for which a loop is several times faster than `set`.
    if (literals > LONG) out.set(block.subarray(at, at + literals), made);
    else for (let i = 0; i < literals; i++) out[made + i] = block[at + i]!;
    made += literals;
    at += literals;
    // The last sequence of a block has no match.
    if (at === block.length) return made;
    if (block.length - at < 2) throw new RangeError("an offset in its lz4 is cut off");
    const offset = block[at]! | (block[at + 1]! << 8);
    at += 2;
    const match = longer(token & 15) + SHORTEST_MATCH;
    if (offset === 0 || offset > made || match > out.length - made)
      throw new RangeError("a match in its lz4 lies outside");
    if (match > LONG && offset >= match) out.copyWithin(made, made - offset, made - offset + match);
    else for (let i = 0; i < match; i++) out[made + i] = out[made + i - offset]!;
    made += match;
  }
  return made;
}
