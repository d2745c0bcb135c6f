import { cachedFrames } from "../../logs/frameCache.js";
import { framesWithin, ImageLog } from "../../logs/imageLog.js";
import { type Options, type Reader, requireCache } from "../reader.js";

/**
 * The images of a robot's log: `mcap:drive.mcap?topic=/camera/image`, unlabelled. Ids are log times.
 *
 * Frames that are kept are copied out of the log into the cache, once: chunks of a log are compressed together, so that drawing images in
 * any order would decompress megabytes for each, and everything that reads image files works as it is.
 */
export const mcap: Reader = {
  name: "mcap",
  summary: "images of a robot's log (.mcap of ROS 1, ROS 2 or Foxglove), unlabelled",
  options: {
    topic: "which images, where there are several topics of them",
    from: "leave out what comes before, in seconds since the start of the log",
    to: "leave out what comes from there on, in seconds since the start of the log",
  },
  async open(path, options, context) {
    const cache = requireCache(context, `mcap: ${path}`);
    const images = await ImageLog.open(path);
    try {
      const { topic, frames } = await framesOf(images, options);
      return {
        items: frames.map(({ id }) => ({ id, image: path, labels: null })),
        labelling: null,
        problems: [],
        prepare: async (kept) => {
          const ids = new Set(kept.map(({ id }) => id));
          const again = await ImageLog.open(path);
          const wanted = { images: again, topic, frames: frames.filter(({ id }) => ids.has(id)) };
          const files = await cachedFrames(cache, wanted, context.onProgress).finally(() => again.close());
          return kept.map((item) => ({ ...item, image: files.get(item.id)! }));
        },
      };
    } finally {
      await images.close();
    }
  },
};

/** The topic and the frames that the options of a spec name. */
export async function framesOf(images: ImageLog, options: Options) {
  const { topic } = images.choose(options.text("topic"));
  options.resolve("topic", topic);
  const stretch = { from: options.number("from"), to: options.number("to") };
  return { topic, frames: await framesWithin(images, topic, stretch) };
}
