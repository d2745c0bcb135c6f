/** Exit code of a command whose time was up, as of timeout(1). */
const TIME_UP = 124;

/** A signal that is also aborted after some seconds; the command then ends with a code of its own. */
export function withTimeLimit(signal: AbortSignal, seconds: number | undefined): AbortSignal {
  if (seconds === undefined) return signal;
  const limit = new AbortController();
  setTimeout(() => {
    if (!signal.aborted) process.exitCode = TIME_UP;
    limit.abort();
  }, 1000 * seconds).unref();
  return AbortSignal.any([signal, limit.signal]);
}
