import type { HostTensor, Tensors } from "../tensor/hostTensor.js";
import type { Program } from "./runtime.js";

/** Programs in memory: about 27 MB each for the paper's network. */
const MOST = 8;

interface Cached {
  readonly program: Promise<Program>;
  running: number;
}

/** Programs compiled when they are first needed, one for each image size; those used longest ago are closed. */
export class ProgramCache {
  readonly #most: number;
  readonly #programs = new Map<string, Cached>(); // in the order of their last use

  constructor(most = MOST) {
    this.#most = most;
  }

  async run(key: string, compile: () => Promise<Program>, feeds: () => Tensors): Promise<Record<string, HostTensor>> {
    const cached = this.#programs.get(key) ?? { program: compile(), running: 0 };
    this.#programs.delete(key);
    this.#programs.set(key, cached);
    cached.running++;
    try {
      await this.#closeOldest();
      return await (await cached.program).run(feeds());
    } catch (error) {
      // What could not be compiled may be tried again.
      await cached.program.catch(() => this.#programs.delete(key));
      throw error;
    } finally {
      cached.running--;
    }
  }

  async close(): Promise<void> {
    const all = [...this.#programs.values()];
    this.#programs.clear();
    for (const { program } of all) await (await program).close();
  }

  async #closeOldest(): Promise<void> {
    for (const [key, { program, running }] of [...this.#programs]) {
      if (this.#programs.size <= this.#most) return;
      if (running > 0) continue;
      this.#programs.delete(key);
      await (await program).close();
    }
  }
}
