/** Pixels as a camera gave them. */
export interface RawPixels {
  readonly kind: "raw";
  readonly width: number;
  readonly height: number;
  readonly encoding: string;
  /** Bytes from one row to the next. */
  readonly step: number;
  readonly bigEndian: boolean;
  readonly data: Uint8Array;
}

/** An image file inside a message. */
export interface CompressedPixels {
  readonly kind: "compressed";
  readonly format: string;
  readonly data: Uint8Array;
}

/** One image of a log. */
export interface ImageMessage {
  /** When it was taken, in nanoseconds; null where the message does not say. */
  readonly stamp: bigint | null;
  readonly frameId: string;
  readonly pixels: RawPixels | CompressedPixels;
}
