import { type ChildProcessByStdio, spawn, spawnSync } from "node:child_process";
import { createInterface, type Interface } from "node:readline";
import type { Readable, Writable } from "node:stream";

/** A process that trains on command: one JSON line in, one JSON line out. PyTorch is one, we are another. */
export class Peer {
  readonly name: string;
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #lines: AsyncIterator<string>;
  readonly #reader: Interface;

  constructor(name: string, command: string, args: readonly string[], threads: number) {
    this.name = name;
    // Without these PyTorch quietly uses a second thread.
    const env = {
      ...process.env,
      OMP_NUM_THREADS: `${threads}`,
      OPENBLAS_NUM_THREADS: `${threads}`,
      MKL_NUM_THREADS: `${threads}`,
    };
    this.#child = spawn(command, [...args], { stdio: ["pipe", "pipe", "inherit"], env });
    this.#reader = createInterface({ input: this.#child.stdout });
    this.#lines = this.#reader[Symbol.asyncIterator]();
  }

  async ask<T>(command: Readonly<Record<string, unknown>>): Promise<T> {
    this.#child.stdin.write(`${JSON.stringify(command)}\n`);
    const { value, done } = await this.#lines.next();
    if (done === true) throw new Error(`${this.name} went away during ${JSON.stringify(command)}`);
    const answer = JSON.parse(String(value)) as T & { error?: string };
    if (answer.error !== undefined) throw new Error(`${this.name}: ${answer.error}`);
    return answer;
  }

  async quit(): Promise<void> {
    await this.ask({ cmd: "quit" });
    this.#reader.close();
    this.#child.stdin.end();
  }
}

/** A Python that has PyTorch, or null: Debian's package serves Debian's own interpreter, which need not be the first one found. */
export function pythonWithTorch(): string | null {
  const has = (python: string): boolean => spawnSync(python, ["-c", "import torch"], { stdio: "ignore" }).status === 0;
  return ["python3", "/usr/bin/python3"].find(has) ?? null;
}
