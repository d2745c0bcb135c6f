import { afterEach, expect, test, vi } from "vitest";
import { InterruptSignal } from "./interrupt.js";

afterEach(() => {
  process.exitCode = undefined;
  vi.restoreAllMocks();
});

test("signals within a second are one request to stop; a later one ends the process at once", () => {
  const exit = vi.spyOn(process, "exit").mockReturnValue(undefined as never);
  let now = 5000;
  const interrupt = new InterruptSignal(() => now);
  const { signal } = interrupt;
  try {
    process.emit("SIGTERM", "SIGTERM");
    expect([signal.aborted, process.exitCode]).toEqual([true, 143]);
    now += 1000;
    process.emit("SIGTERM", "SIGTERM");
    expect(exit).not.toHaveBeenCalled();
    now += 1;
    process.emit("SIGINT", "SIGINT");
    expect(exit).toHaveBeenCalledOnce();
    expect(process.exitCode).toBe(130);
  } finally {
    interrupt.forget();
  }
});
