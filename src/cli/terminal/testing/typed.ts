import { vi } from "vitest";
import { commandLineProgram } from "../../program.js";

/** What a command printed, and the exit code it asked for. */
export interface Typed {
  readonly out: string;
  readonly notes: string;
  readonly code: number;
}

/** Run a command in this process, as if its words had been typed. Rejects with its error. */
export async function typed(...words: string[]): Promise<Typed> {
  const printed = { out: "", notes: "" };
  const spies = (["out", "notes"] as const).map((name) =>
    vi.spyOn(name === "out" ? process.stdout : process.stderr, "write").mockImplementation((text) => {
      printed[name] += text;
      return true;
    }),
  );
  try {
    await commandLineProgram("0.0.0").parseAsync(words, { from: "user" });
    return { ...printed, code: Number(process.exitCode ?? 0) };
  } finally {
    for (const spy of spies) spy.mockRestore();
    process.exitCode = undefined;
  }
}
