import type { Images } from "./files.js";
import { type Problem, problem } from "./problem.js";

/**
 * Warnings about sub-folders that look like label maps among images that were opened without labels: all PNG, each with an image of
 * the same name in another sub-folder.
 */
export function likelyLabels({ folder, byStem }: Images): Problem[] {
  const namesIn = new Map<string, Set<string>>();
  const pngOnly = new Map<string, boolean>();
  for (const [stem, files] of byStem) {
    const end = stem.indexOf("/");
    const [top, name] = [stem.slice(0, Math.max(0, end)), stem.slice(end + 1)];
    namesIn.set(top, (namesIn.get(top) ?? new Set()).add(name));
    pngOnly.set(top, (pngOnly.get(top) ?? true) && files.every((file) => /\.png$/i.test(file)));
  }
  return [...namesIn].flatMap(([labels, names]) => {
    const images = [...namesIn].find(
      ([top, others]) => top !== labels && !pngOnly.get(top) && [...names].every((name) => others.has(name)),
    )?.[0];
    if (!pngOnly.get(labels) || images === undefined) return [];
    const what = `"${labels}" has a PNG for each of ${names.size} images of "${images}": label maps, read here as images`;
    const cure = `put a classes.json beside them (docs/data.md), or say images=${images}&labels=${labels}&classes=…, or images=${images} for the images alone`;
    return [problem("warning", "labels-among-images", folder, what, cure)];
  });
}
