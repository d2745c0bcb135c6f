/** Where to compute: a name that ONNX Runtime has for it, or `auto` for the first that is there and computes rightly. */
export const devices = ["cpu", "webgpu", "cuda", "coreml", "dml", "auto"] as const;
export type Device = (typeof devices)[number];

/** Called now and then while something takes a while: what is being done, and how much of it. */
export type OnProgress = (what: string, done: number, total: number) => void;

/** How the caller of something that takes a while follows it. */
export interface Watching {
  readonly onProgress?: OnProgress | undefined;
  /** Called with what the caller should know, and that is no error. */
  readonly onNote?: ((message: string) => void) | undefined;
  /** Cancels the work: the call then rejects with the signal's reason, an `AbortError` unless another was given. */
  readonly signal?: AbortSignal | undefined;
}

/** With what a call computes. Only the device changes a result, by its rounding (docs/gpu.md). */
export interface Computing {
  /** Where to compute; "cpu" when left out. It is tried first: one that is not there, or computes wrongly, is refused. */
  readonly device?: Device | undefined;
  /** Threads to compute with; all cores when left out. */
  readonly threads?: number | undefined;
  /** Where drawn scenes and remembered checks are kept; ~/.cache/gamma-ssl when left out. */
  readonly cache?: string | undefined;
  /** How this came about, for the record. */
  readonly command?: string | undefined;
}

/** Progress that ends the work once it was cancelled: whatever reports progress can be cancelled. */
export const cancellable =
  ({ onProgress, signal }: Pick<Watching, "onProgress" | "signal">): OnProgress =>
  (what, done, total) => {
    signal?.throwIfAborted();
    onProgress?.(what, done, total);
  };

/** Tells each message once, however often it comes up in calls that belong together. */
export function eachOnce(onNote: Watching["onNote"]): (message: string) => void {
  const told = new Set<string>();
  return (message) => {
    if (!told.has(message)) onNote?.(message);
    told.add(message);
  };
}
