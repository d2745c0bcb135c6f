import { MOST_PREDICTED, tooLarge } from "../../data/images/imageLimits.js";
import type { RgbImage } from "../../data/images/tensors.js";
import { UserError } from "../../platform/errors.js";

/** No header is longer, and no image worth looking at is shorter. */
const MOST_HEADER = 64;

/** Cuts a stream of PPM images (`P6 width height 255`, then bytes) into images, however the stream is chopped up. */
export class PpmReader {
  readonly #from: string;
  /** What came and was not used yet, in the pieces it came in: joined only when there may be enough. */
  #pieces: Uint8Array[] = [];
  #length = 0;
  #wanted = MOST_HEADER;

  constructor(from: string) {
    this.#from = from;
  }

  /** Whether the stream stopped between two images. */
  get done(): boolean {
    return this.#length === 0;
  }

  /** Images that are complete with this much more of the stream. */
  *push(chunk: Uint8Array): Generator<RgbImage> {
    this.#pieces.push(chunk);
    this.#length += chunk.length;
    while (this.#length >= this.#wanted) {
      const image = this.#next(Buffer.concat(this.#pieces));
      if (image !== null) yield image;
    }
  }

  /** Null where more is wanted than is there. */
  #next(kept: Buffer): RgbImage | null {
    const match = /^P6\s+(\d+)\s+(\d+)\s+255\s/.exec(kept.subarray(0, MOST_HEADER).toString("latin1"));
    if (match === null) {
      throw new UserError(`${this.#from}: its frames do not come as PPM images`, {
        hint: "is ffmpeg the usual one?",
      });
    }
    const [width, height] = [Number(match[1]), Number(match[2])];
    const size = tooLarge({ width, height }, MOST_PREDICTED);
    if (size !== null) throw new UserError(`${this.#from}: its frames are ${size}`, { hint: "scale the video down" });
    const start = match[0].length;
    const end = start + width * height * 3;
    const complete = kept.length >= end;
    const rest = complete ? kept.subarray(end) : kept;
    this.#pieces = rest.length === 0 ? [] : [rest];
    this.#length = rest.length;
    this.#wanted = complete ? MOST_HEADER : end;
    return complete ? { width, height, rgb: Uint8Array.from(kept.subarray(start, end)) } : null;
  }
}
