import { type HostTensor, type Tensors, totalBytes } from "../tensor/hostTensor.js";
import type { Carried, Program, StatefulProgram } from "./runtime.js";

/** State that travels through ordinary memory: all there is on a CPU. */
export function stateOnHost(program: Program, { outputs, start }: Carried): StatefulProgram {
  let state = start;
  let movedBytes = 0;
  return {
    async run(feeds, accept) {
      const given = { ...state, ...feeds };
      // Results come in arrays of their own anyway: a second set to write them to would only take more memory.
      const results = await program.run(given);
      movedBytes = totalBytes(given) + totalBytes(results);
      const next: Record<string, HostTensor> = { ...state };
      for (const [name, output] of outputs) {
        if (output === null) continue;
        next[name] = results[output]!;
        delete results[output];
      }
      if (accept(results)) state = next;
      return results;
    },
    state: async (): Promise<Tensors> => state,
    movedBytes: () => movedBytes,
    close: () => program.close(),
  };
}
