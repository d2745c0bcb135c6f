import { random } from "../../engine/tensor/random.js";

export interface OrderOptions {
  readonly seed: number;
  /** Name of the stream: each has an order of its own. */
  readonly stream: string;
  /** Images in the data set. */
  readonly count: number;
  /** Images in a batch. */
  readonly size: number;
}

/**
 * Which images are in the batch of a step: a pure function, so that resuming at any step needs no state.
 *
 * The data set is passed over again and again, each time in another random order, every image once a pass. A batch may
 * reach from one pass into the next. With at least two batches of images, none is in a batch twice.
 */
export function imagesOf(options: OrderOptions, step: number): number[] {
  const { count, size } = options;
  const passes = new Map<number, Int32Array>();
  return Array.from({ length: size }, (_, n) => {
    const position = step * size + n;
    const pass = Math.floor(position / count);
    if (!passes.has(pass)) passes.set(pass, orderOf(options, pass));
    return passes.get(pass)![position - pass * count]!;
  });
}

/** The order of one pass, its head rearranged if the batch it shares with the pass before has those images already. */
function orderOf(options: OrderOptions, pass: number): Int32Array {
  const { count, size } = options;
  const order = shuffled(options, pass);
  const used = (pass * count) % size; // images of the pass before in the shared batch
  if (used === 0 || count < 2 * size) return order;

  const before = new Set(shuffled(options, pass - 1).subarray(count - used));
  const head = size - used;
  // Exchanged with images from the middle only: the tail, which the next pass looks at, stays as it was shuffled.
  let middle = head;
  for (let i = 0; i < head; i++) {
    if (!before.has(order[i]!)) continue;
    while (before.has(order[middle]!)) middle++;
    [order[i], order[middle]] = [order[middle]!, order[i]!];
    middle++;
  }
  return order;
}

function shuffled({ seed, stream, count }: OrderOptions, pass: number): Int32Array {
  const { below } = random(seed, stream, "order", pass);
  const order = Int32Array.from({ length: count }, (_, i) => i);
  for (let i = count - 1; i > 0; i--) {
    const j = below(i + 1);
    [order[i], order[j]] = [order[j]!, order[i]!];
  }
  return order;
}
