import type { RawPng } from "../images/png.js";
import type { LabelRule } from "./labelSpace.js";
import { hexColour } from "./labelTable.js";

/** Pixels of each value that occurs, values spelled as a rule of that kind spells them. */
export function countValues(png: RawPng, kind: LabelRule["kind"]): Map<string, number> {
  const { channels, colour, palette } = png;
  const counts = channels < 3 ? countLevels(png) : countColours(png);
  const spelled = new Map<string, number>();
  for (const [value, pixels] of counts) {
    const key =
      kind === "ids"
        ? String(value)
        : channels >= 3
          ? value.toString(16).padStart(6, "0")
          : colour === "palette"
            ? hexColour([palette[3 * value] ?? 0, palette[3 * value + 1] ?? 0, palette[3 * value + 2] ?? 0])
            : hexColour([value, value, value]);
    // Two indices may have one colour.
    spelled.set(key, (spelled.get(key) ?? 0) + pixels);
  }
  return spelled;
}

function countLevels({ values, channels, depth }: RawPng): Map<number, number> {
  const counts = new Uint32Array(2 ** depth);
  for (let v = 0; v < values.length; v += channels) counts[values[v]!]!++;
  const seen = new Map<number, number>();
  counts.forEach((pixels, value) => {
    if (pixels > 0) seen.set(value, pixels);
  });
  return seen;
}

/** Neighbours are mostly alike: count runs, and look up once a run. */
function countColours({ values, channels }: RawPng): Map<number, number> {
  const counts = new Map<number, number>();
  let last = -1;
  let run = 0;
  for (let v = 0; v < values.length; v += channels) {
    const key = (values[v]! << 16) | (values[v + 1]! << 8) | values[v + 2]!;
    if (key === last) run++;
    else {
      if (run > 0) counts.set(last, (counts.get(last) ?? 0) + run);
      last = key;
      run = 1;
    }
  }
  if (run > 0) counts.set(last, (counts.get(last) ?? 0) + run);
  return counts;
}
