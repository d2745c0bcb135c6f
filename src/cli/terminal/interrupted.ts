/** Resolves when a signal is aborted: for commands that run until Ctrl-C. */
export const interrupted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve());
  });
