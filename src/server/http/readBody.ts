import type { IncomingMessage } from "node:http";
import { ServingError } from "./servingError.js";

/** Bytes of all bodies that are held at a time. */
export class BodyBudget {
  readonly #most: number;
  #held = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Only what has arrived counts: a client that announces much and sends little takes no room. */
  take(bytes: number): void {
    if (this.#held + bytes > this.#most) {
      throw new ServingError(503, "too many images are being received", { retryAfter: 1, headers: close });
    }
    this.#held += bytes;
  }

  give(bytes: number): void {
    this.#held -= bytes;
  }
}

/** What is left of the body is not worth reading. */
const close = { Connection: "close" } as const;

/**
 * Work with the body of a request, of at most `most` bytes, as it was sent. Refuses by its headers where they say enough, else as soon as
 * one byte too many has arrived.
 */
export async function withBody<Result>(
  incoming: IncomingMessage,
  { most, budget }: { readonly most: number; readonly budget: BodyBudget },
  work: (body: Buffer) => Promise<Result>,
): Promise<Result> {
  const encoding = incoming.headers["content-encoding"];
  if (encoding !== undefined && encoding.toLowerCase() !== "identity") {
    throw new ServingError(415, `the body is encoded as "${encoding}"`, {
      hint: "send it as it is: images are compressed already",
      headers: { ...close, "Accept-Encoding": "identity" },
    });
  }
  const tooLarge = (): ServingError =>
    new ServingError(413, `the body has more than ${most} bytes`, {
      hint: "send a smaller image, or serve with a larger --most-bytes",
      headers: close,
    });
  if (Number(incoming.headers["content-length"] ?? 0) > most) throw tooLarge();
  let held = 0;
  try {
    const body = await received(incoming, (bytes) => {
      if (held + bytes > most) throw tooLarge();
      budget.take(bytes);
      held += bytes;
    });
    return await work(body);
  } finally {
    budget.give(held);
  }
}

/** All of a body. `accept` is called with the length of each piece, and throws where it is one too many. */
function received(incoming: IncomingMessage, accept: (bytes: number) => void): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    const settle = (how: () => void): void => {
      incoming.off("data", onData).off("end", onEnd).off("error", onGone).off("close", onGone);
      how();
    };
    const onData = (piece: Buffer): void => {
      try {
        accept(piece.length);
        pieces.push(piece);
      } catch (error) {
        pieces.length = 0;
        settle(() => reject(error));
      }
    };
    const onEnd = (): void => settle(() => resolve(Buffer.concat(pieces)));
    const onGone = (): void => settle(() => reject(new ServingError(400, "the body ended before it was whole")));
    incoming.on("data", onData).on("end", onEnd).on("error", onGone).on("close", onGone);
  });
}
