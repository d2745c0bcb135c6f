import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname } from "node:path";
import type { Placement } from "../../src/engine/runtime/placement.js";
import type { Carried, Program, Runtime, Signature, StatefulProgram } from "../../src/engine/runtime/runtime.js";
import type { HostTensor } from "../../src/engine/tensor/hostTensor.js";

/** Where Chromium packages keep SwiftShader, a Vulkan driver that computes on the CPU. */
const drivers = ["/usr/lib/chromium", "/usr/lib64/chromium-browser", "/opt/google/chrome"].map(
  (folder) => `${folder}/vk_swiftshader_icd.json`,
);
const driver = process.env.VK_ICD_FILENAMES ?? drivers.find((path) => existsSync(path));

/** For the titles of tests: that they run on it, or why they are skipped. */
export const onSoftwareGpu = {
  missing: driver === undefined,
  title:
    driver === undefined
      ? "on webgpu (skipped: no SwiftShader here; it comes with Debian's package chromium)"
      : "on webgpu (SwiftShader)",
};

/** The environment of a process that finds SwiftShader as its only GPU. The loader of Vulkan lies beside the driver. */
export const softwareGpu = (): NodeJS.ProcessEnv => ({
  XDG_RUNTIME_DIR: tmpdir(),
  ...process.env,
  VK_ICD_FILENAMES: driver!,
  LD_LIBRARY_PATH: [dirname(driver!), process.env.LD_LIBRARY_PATH].filter(Boolean).join(":"),
});

/**
 * A runtime whose programs run in another process, on the software GPU: the driver is found when a process starts, and a
 * provider that aborts takes only that process with it.
 */
export class RemoteRuntime implements Runtime {
  readonly device: string;
  readonly portable = true;
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, { resolve(result: never): void; reject(error: Error): void }>();
  #ended: Error | null = null;
  #asked = 0;
  #programs = 0;
  /** Where the nodes of the last step that was closed were computed. */
  placement: Placement | null = null;

  constructor(device = "webgpu") {
    this.device = device;
    this.#child = fork(new URL("computing.mjs", import.meta.url), [device], {
      serialization: "advanced",
      env: softwareGpu(),
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
    this.#child.on("message", ({ id, result, error }: { id: number; result: never; error?: string }) => {
      const { resolve, reject } = this.#waiting.get(id)!;
      this.#waiting.delete(id);
      if (error === undefined) resolve(result);
      else reject(new Error(error));
    });
    this.#child.on("exit", (code, signal) => {
      this.#ended = new Error(`the process ended with ${signal ?? code}`);
      for (const { reject } of this.#waiting.values()) reject(this.#ended);
    });
  }

  #ask<T>(ask: string, rest: object): Promise<T> {
    if (this.#ended !== null) return Promise.reject(this.#ended);
    const id = this.#asked++;
    return new Promise<T>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#child.send({ id, ask, ...rest });
    });
  }

  async load(model: Uint8Array, signature: Signature): Promise<Program> {
    const program = this.#programs++;
    await this.#ask("load", { program, model, signature });
    return {
      run: (feeds) => this.#ask("run", { program, feeds }),
      close: () => this.#ask("close", { program }),
    };
  }

  /** The process over there keeps a step where loss and gradient are finite, as a `Stepper` asks it to. */
  async loadStateful(model: Uint8Array, signature: Signature, carried: Carried): Promise<StatefulProgram> {
    const program = this.#programs++;
    await this.#ask("loadStateful", { program, model, signature, carried });
    let moved = 0;
    return {
      run: async (feeds) => {
        type Answer = { readonly results: Record<string, HostTensor>; readonly movedBytes: number };
        const { results, movedBytes } = await this.#ask<Answer>("step", { program, feeds });
        moved = movedBytes;
        return results;
      },
      state: () => this.#ask("state", { program }),
      movedBytes: () => moved,
      close: async () => {
        this.placement = await this.#ask<Placement>("close", { program });
      },
    };
  }

  async end(): Promise<void> {
    if (this.#ended !== null) return;
    this.#child.disconnect();
    await once(this.#child, "exit");
  }
}
