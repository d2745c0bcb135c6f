import { UserError } from "../../platform/errors.js";
import type { Frame, ImageLog } from "./imageLog.js";

/** Part of a log, in seconds since its first message. */
export interface Stretch {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** The frames of a topic within a part of the log: from ≤ time < to. */
export async function framesWithin(images: ImageLog, topic: string, { from, to }: Stretch): Promise<Frame[]> {
  const all = await images.frames(topic);
  const { startTime, file } = images.log;
  const kept = all.filter(({ logTime }) => {
    const seconds = Number(logTime - startTime) / 1e9;
    return seconds >= (from ?? 0) && seconds < (to ?? Number.POSITIVE_INFINITY);
  });
  if (kept.length > 0) return kept;
  if (all.length === 0)
    throw new UserError(`${file}: ${topic} has no messages`, { hint: "choose another topic or log" });
  const last = Number(all.at(-1)!.logTime - startTime) / 1e9;
  throw new UserError(`${file}: ${topic} has no image between ${from ?? 0} and ${to ?? "the end"} seconds`, {
    hint: `its ${all.length} images lie between ${Number(all[0]!.logTime - startTime) / 1e9} and ${last} seconds after the start of the log`,
  });
}
