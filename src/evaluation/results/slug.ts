import { createHash } from "node:crypto";

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
  if (plain !== "" && plain.length <= LONGEST) return plain;
  const mark = createHash("sha256").update(name).digest("hex").slice(0, 8);
  return plain === "" ? `unnamed-${mark}` : `${plain.slice(0, LONGEST - 9)}-${mark}`;
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
