import { createHash } from "node:crypto";
import type { Program, Runtime } from "../src/engine/runtime/runtime.js";

/** A runtime that loads equal models once and keeps them until it is told to close them all. */
export function loadsOnce(runtime: Runtime): Runtime & { closeAll(): Promise<void> } {
  const loaded = new Map<string, Promise<Program>>();
  return {
    device: runtime.device,
    async load(model, signature) {
      const key = createHash("sha256").update(model).digest("hex");
      const program = loaded.get(key) ?? runtime.load(model, signature);
      loaded.set(key, program);
      return { ...(await program), close: async () => {} };
    },
    async closeAll() {
      for (const program of loaded.values()) await (await program).close();
    },
  };
}
