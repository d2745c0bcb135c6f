/** More entries than any camera writes. */
const MOST_ENTRIES = 2000;
/** Tags whose value is the place of another list of entries: Exif, GPS and interoperability. */
const LISTS = new Set([0x8769, 0x8825, 0xa005]);

/** How blocks of EXIF data begin, and after how many bytes: in JPEG and AVIF, in PNG, in WebP. */
const marks = [
  ["Exif\0\0", 6],
  ["eXIf", 4],
  ["EXIF", 8],
] as const;

/**
 * Whether an image has EXIF data in which a list of entries leads to itself, or that has more entries than anybody writes. The library
 * that reads them follows every one: 60 kB take it half a minute.
 */
export function hasEndlessExif(bytes: Uint8Array): boolean {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return marks.some(([mark, length]) => {
    for (let at = file.indexOf(mark, 0, "latin1"); at >= 0; at = file.indexOf(mark, at + 1, "latin1")) {
      if (isEndless(file.subarray(at + length))) return true;
    }
    return false;
  });
}

function isEndless(block: Buffer): boolean {
  const order = block.subarray(0, 4).toString("latin1");
  if (order !== "II*\0" && order !== "MM\0*") return false;
  const little = order === "II*\0";
  const view = new DataView(block.buffer, block.byteOffset, block.byteLength);
  const seen = new Set<number>();
  const open = [view.byteLength >= 8 ? view.getUint32(4, little) : 0];
  let entries = 0;
  while (open.length > 0) {
    const list = open.pop()!;
    if (list === 0 || list + 2 > view.byteLength) continue;
    if (seen.has(list)) return true;
    seen.add(list);
    const count = view.getUint16(list, little);
    entries += count;
    if (entries > MOST_ENTRIES) return true;
    const end = list + 2 + 12 * count;
    for (let at = list + 2; at < end && at + 12 <= view.byteLength; at += 12) {
      if (LISTS.has(view.getUint16(at, little))) open.push(view.getUint32(at + 8, little));
    }
    if (end + 4 <= view.byteLength) open.push(view.getUint32(end, little));
  }
  return false;
}
