import { formatSpec, parseSpec } from "../data/datasets/spec.js";

/** Scenes that are drawn to choose on, where any number could be. */
const DRAWN = 100;

/**
 * The spec of labelled source images that a training has not seen, where the spec of the ones it has seen tells: the other split,
 * or the images that `except=` left out. Null where it does not.
 */
export function heldOutSpec(source: string): string | null {
  const { options, ...spec } = parseSpec(source);
  const changed = new Map(options);
  if (options.get("split") === "train") changed.set("split", "val");
  else if (options.has("except")) {
    changed.delete("except");
    changed.set("every", options.get("except")!);
  } else return null;
  changed.delete("limit");
  if (spec.reader === "scenes") changed.set("count", String(Math.min(DRAWN, Number(options.get("count") ?? DRAWN))));
  return formatSpec({ ...spec, options: changed });
}
