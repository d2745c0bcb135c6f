/** Resolves when a signal is aborted: a command that runs until Ctrl-C waits for it. */
export const interrupted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve());
  });
