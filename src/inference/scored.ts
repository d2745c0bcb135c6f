import type { Value } from "../engine/graph/value.js";
import { reshape } from "../engine/ops/shaping.js";
import type { NetworkOutputs, Score } from "../methods/parts/networkOutputs.js";
import { cropTo, mirroredTo } from "../networks/models/anySize.js";
import type { Forward } from "./wholeImages.js";

/**
 * Several methods on one pass through a network: images of any size are continued by their mirror image, maps cut to their
 * size. Gives `<name>.predicted` and `<name>.uncertainty` of each, [N, H, W].
 */
export function scoredBy(
  methods: Readonly<Record<string, Score>>,
  forward: (images: Value) => NetworkOutputs,
): Forward {
  return (images) => {
    const outputs = forward(mirroredTo(images));
    const maps: Record<string, Value> = {};
    for (const [name, score] of Object.entries(methods)) {
      const { predicted, uncertainty } = score(outputs);
      maps[`${name}.predicted`] = cropMap(predicted, images);
      maps[`${name}.uncertainty`] = cropMap(uncertainty, images);
    }
    return maps;
  };
}

/** [N, H, W] to the height and width of the images. */
export function cropMap(map: Value, images: Value): Value {
  const [n, h, w] = map.shape as [number, number, number];
  const [height, width] = images.shape.slice(2) as [number, number];
  return reshape(cropTo(reshape(map, [n, 1, h, w]), [height, width]), [n, height, width]);
}
