import { join } from "node:path";
import { drawnScenesCategories, drawnScenesIds } from "../../labels/drawnScenes.js";
import { sceneFiles } from "../../scenes/cache.js";
import { openScenes } from "../../scenes/scenes.js";
import { type Reader, requireCache } from "../reader.js";

/** What a spec of drawn scenes can say; scenes/spec.ts checks the values. */
const KEYS = ["split", "count", "seed", "height", "width"] as const;

/** The drawn driving world: `scenes:highland?split=test&count=200`. Images are drawn to the cache folder, then listed. */
export const scenes: Reader = {
  name: "scenes",
  summary:
    "streets drawn by the program itself; the path is a place: city, dusk, night, town, forest, foothills, highland, wild",
  options: {
    split: "train, val or test, whichever the place has",
    count: "how many images (default 200)",
    seed: "which images (default 0)",
    height: "in pixels (default 128)",
    width: "in pixels (default 256)",
    classes: "cityscapes (default) or categories: seven, for small images",
  },
  async open(domain, options, context) {
    const cache = join(requireCache(context, `scenes: ${domain}`), "scenes");
    const { onProgress } = context;
    const given = Object.fromEntries(KEYS.flatMap((key) => (options.has(key) ? [[key, options.text(key)!]] : [])));
    const opened = await openScenes(
      { ...given, domain },
      { cache, ...(onProgress === undefined ? {} : { onProgress }) },
    );
    for (const key of KEYS) options.resolve(key, String(opened.spec[key]));
    const labelling = {
      cityscapes: drawnScenesIds,
      categories: drawnScenesCategories,
    }[options.choice("classes", ["cityscapes", "categories"], "cityscapes")];
    const items = sceneFiles(cache, opened.spec, opened.labelled);
    return { items, labelling: opened.labelled ? labelling : null, problems: [] };
  },
};
