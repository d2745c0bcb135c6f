import { UserError } from "../../platform/errors.js";
import type { RgbImage } from "../images/tensors.js";
import type { BatchPlan } from "./batchPlan.js";

/** An image scaled to the height of its stream, with its labels if the stream is labelled. */
export interface ScaledImage extends RgbImage {
  readonly labels: Uint8Array | null;
}

/** What the threads share. It can be sent to a worker, which then sees the same bytes. */
export interface CacheMemory {
  /** Units of pixel memory given out, then five numbers for each slot. */
  readonly table: SharedArrayBuffer;
  /** Grows as images are kept, to its limit at most. */
  readonly pixels: SharedArrayBuffer;
}

/** Pixel memory is given out in units, so that places in more than 2 GB still fit 32 bits, and grows in slabs. */
const UNIT = 64;
const SLAB = 16 * 2 ** 20;

const [STATE, START, WIDTH, HEIGHT, LABELLED, FIELDS] = [0, 1, 2, 3, 4, 5];
const [EMPTY, WRITING, READY] = [0, 1, 2];

/** Room for the images of a plan: addresses only, memory is taken as images are kept, and never more than `bytes`. */
export function cacheMemory(plan: BatchPlan, bytes: number): CacheMemory {
  const slots = plan.streams.reduce((sum, { dataset }) => sum + dataset.items.length, 0);
  try {
    return {
      table: new SharedArrayBuffer(4 * (1 + slots * FIELDS)),
      pixels: new SharedArrayBuffer(0, { maxByteLength: Math.floor(bytes / UNIT) * UNIT }),
    };
  } catch (cause) {
    throw new UserError(`loader: cannot reserve ${bytes} bytes for decoded images`, {
      hint: "raise the limit on address space (ulimit -v)",
      cause,
    });
  }
}

/**
 * Decoded, scaled images that all threads share, each in the slot of its image.
 *
 * A slot is written once, by the thread that claims it, and never changes after. A thread that finds it being written does
 * without it. When the memory is full, further images are not kept.
 */
export class ImageCache {
  readonly #table: Int32Array;
  readonly #pixels: SharedArrayBuffer;

  constructor({ table, pixels }: CacheMemory) {
    this.#table = new Int32Array(table);
    this.#pixels = pixels;
  }

  /** Bytes given out so far. */
  get bytes(): number {
    return Atomics.load(this.#table, 0) * UNIT;
  }

  get(slot: number): ScaledImage | undefined {
    const row = 1 + slot * FIELDS;
    if (Atomics.load(this.#table, row + STATE) !== READY) return undefined;
    const field = (name: number): number => this.#table[row + name]!;
    const [width, height, start] = [field(WIDTH), field(HEIGHT), field(START) * UNIT];
    const rgb = new Uint8Array(this.#pixels, start, 3 * width * height);
    const labels = field(LABELLED) === 0 ? null : new Uint8Array(this.#pixels, start + rgb.byteLength, width * height);
    return { width, height, rgb, labels };
  }

  keep(slot: number, { width, height, rgb, labels }: ScaledImage): void {
    const row = 1 + slot * FIELDS;
    if (Atomics.compareExchange(this.#table, row + STATE, EMPTY, WRITING) !== EMPTY) return;
    const start = this.#reserve(rgb.length + (labels?.length ?? 0));
    if (start === undefined) {
      Atomics.store(this.#table, row + STATE, EMPTY);
      return;
    }
    new Uint8Array(this.#pixels, start * UNIT, rgb.length).set(rgb);
    if (labels !== null) new Uint8Array(this.#pixels, start * UNIT + rgb.length, labels.length).set(labels);
    this.#table[row + START] = start;
    this.#table[row + WIDTH] = width;
    this.#table[row + HEIGHT] = height;
    this.#table[row + LABELLED] = labels === null ? 0 : 1;
    // The store publishes what was written above: a thread that reads READY reads that too.
    Atomics.store(this.#table, row + STATE, READY);
  }

  /** The first of enough units that no other thread has, or undefined if there is no room. */
  #reserve(bytes: number): number | undefined {
    const limit = this.#pixels.maxByteLength / UNIT;
    for (;;) {
      const start = Atomics.load(this.#table, 0);
      const end = start + Math.ceil(bytes / UNIT);
      if (end > limit) return undefined;
      if (Atomics.compareExchange(this.#table, 0, start, end) === start) {
        this.#growTo(end * UNIT);
        return start;
      }
    }
  }

  #growTo(bytes: number): void {
    while (this.#pixels.byteLength < bytes) {
      const wanted = Math.min(Math.ceil(bytes / SLAB) * SLAB, this.#pixels.maxByteLength);
      try {
        this.#pixels.grow(wanted);
      } catch (cause) {
        // Another thread has grown it further in the meantime, which is as good.
        if (this.#pixels.byteLength < bytes) throw cause;
      }
    }
  }
}
