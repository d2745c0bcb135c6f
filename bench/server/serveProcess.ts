import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

/** Of the kernel's clock, in a second. */
const TICKS = 100;

/** `gssl serve`, as built, in a process of its own. */
export class ServeProcess {
  readonly #child: ChildProcess;
  url = "";

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  static async start(main: string, model: string, ...flags: readonly string[]): Promise<ServeProcess> {
    const words = ["serve", model, "--port", "0", "--api-only", "--json", ...flags];
    const child = spawn(process.execPath, [main, ...words], { stdio: ["ignore", "pipe", "ignore"] });
    const started = new ServeProcess(child);
    const [line] = await once(createInterface(child.stdout!), "line");
    started.url = (JSON.parse(line) as { url: string }).url;
    return started;
  }

  /** Processes that hold the model (Linux). */
  get computing(): number[] {
    const { pid } = this.#child;
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
    return children.trim().split(" ").filter(Boolean).map(Number);
  }

  /** Megabytes in memory: of the process that answers HTTP, and of those that compute. */
  get megabytes(): { readonly http: number; readonly computing: number } {
    const of = (pid: number): number =>
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]) / 1024;
    return { http: of(this.#child.pid!), computing: this.computing.map(of).reduce((sum, one) => sum + one, 0) };
  }

  /** Seconds of processors that all of them have used, if none has ended. */
  get processorSeconds(): number {
    const of = (pid: number): number => {
      const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ");
      return (Number(fields[11]) + Number(fields[12])) / TICKS;
    };
    return [this.#child.pid!, ...this.computing].map(of).reduce((sum, one) => sum + one, 0);
  }

  /** Processes that took the place of others and have loaded the model. */
  async restarts(): Promise<number> {
    const text = await (await fetch(`${this.url}/metrics`)).text();
    return Number(/^gssl_process_restarts_total\{.*\} (\d+)$/m.exec(text)?.[1] ?? 0);
  }

  async stop(): Promise<void> {
    const ended = once(this.#child, "close");
    this.#child.kill("SIGTERM");
    await ended;
  }
}
