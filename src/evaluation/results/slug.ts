import { createHash } from "node:crypto";

/** In bytes: file systems allow 255, and endings come behind it. */
const LONGEST = 100;

/**
 * A name as a file name that works on every system: letters, digits, dot, dash and underscore stay, anything else becomes a
 * dash. `scenes:town?split=test&seed=1` is `scenes-town-split-test-seed-1`. Never empty, never hidden, never a path.
 */
export function slug(name: string): string {
  const plain = name
    .normalize("NFC")
    .replace(/[^\p{L}\p{N}._-]+/gu, "-")
    .replace(/\.{2,}/g, ".")
    .replace(/^[-.]+|[-.]+$/g, "");
  if (plain !== "" && Buffer.byteLength(plain) <= LONGEST) return plain;
  const mark = createHash("sha256").update(name).digest("hex").slice(0, 8);
  return plain === "" ? `unnamed-${mark}` : `${beginning(plain, LONGEST - 9)}-${mark}`;
}

/** As many whole characters as fit into so many bytes. */
function beginning(text: string, bytes: number): string {
  let fitting = "";
  for (const character of text) {
    if (Buffer.byteLength(fitting + character) > bytes) break;
    fitting += character;
  }
  return fitting;
}

/** The same, but numbered where the name would fall together with one already taken; it is taken from then on. */
export function distinctSlug(name: string, taken: Set<string>): string {
  const plain = slug(name);
  let distinct = plain;
  // Some file systems do not tell capitals from small letters.
  for (let n = 2; taken.has(distinct.toLowerCase()); n++) distinct = `${plain}-${n}`;
  taken.add(distinct.toLowerCase());
  return distinct;
}
