import { join } from "node:path";
import { UserError } from "../../../platform/errors.js";
import { saxIds } from "../../labels/sax.js";
import { listImages } from "../files.js";
import { pairUp, unlabelledItems } from "../pairUp.js";
import type { Reader } from "../reader.js";

/**
 * Sense-Assess-eXplain: London, the New Forest and Scotland. Frames come out of recordings, so lay them like this:
 *
 *   <root>/<domain>/test/images/<id>.*    <root>/<domain>/test/labels/<id>.png    ids in the alphabet of the 34 names
 *   <root>/<domain>/train/images/<id>.*                                           unlabelled
 *
 * with the domains london, new-forest and scotland. https://ori.ox.ac.uk/publications/datasets
 */
export const sax: Reader = {
  name: "sax",
  summary: "SAX: London, the New Forest, Scotland",
  options: {
    domain: "london, new-forest or scotland",
    split: "test (default, labelled) or train (unlabelled)",
  },
  async open(root, options) {
    if (!options.has("domain")) {
      throw new UserError("sax: which domain?", { hint: "add domain=london, domain=new-forest or domain=scotland" });
    }
    const domain = options.choice("domain", ["london", "new-forest", "scotland"], "london");
    const split = options.choice("split", ["train", "test"], "test");
    const images = await listImages("sax", join(root, domain, split, "images"), { deep: true });
    if (split === "train") return { ...unlabelledItems(images), labelling: null };
    const labels = await listImages("sax", join(root, domain, split, "labels"), { deep: true });
    return { ...pairUp(images, labels), labelling: saxIds };
  },
};
