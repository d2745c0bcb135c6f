/// <reference lib="dom" />
import { signal } from "@preact/signals";
import type { SiteManifest, SiteModel } from "../../manifest.js";
import { type Computing, missingGpu, onWasm, type Preference } from "./computing.js";
import { Engine } from "./engine.js";
import type { Maps, Progress } from "./protocol.js";
import { largestDifference, MOST_DIFFERENCE } from "./testTile.js";

/**
 * Models on the fastest runtime that gives right results. WebAssembly computes from the start. Where there is a graphics processor, WebGPU
 * is loaded beside it, and takes over a model once it gave the same scores for a test tile and for an image, in less time.
 */
export class Backend {
  readonly computing = signal<Computing>(onWasm("starting"));
  /** For the visitor: something fell back. */
  readonly notice = signal<string | null>(null);
  readonly #preference: Preference;
  readonly #runtimes: SiteManifest["runtimes"];
  readonly #wasm: Engine;
  #gpu: Engine | null = null;
  /** Why WebGPU is not used, for all models. */
  #refused: string | null = null;
  /** Models by sha256: those WebGPU computes, and why it does not compute others. */
  readonly #verdicts = new Map<string, Verdict>();

  constructor(preference: Preference, runtimes: SiteManifest["runtimes"]) {
    this.#preference = preference;
    this.#runtimes = runtimes;
    this.#wasm = new Engine("wasm", runtimes.wasm);
    this.#tell(null);
  }

  async open(model: SiteModel, onProgress: (progress: Progress) => void): Promise<void> {
    await this.#wasm.open(model, onProgress);
    this.#tell(model);
  }

  async segment(model: SiteModel, image: ImageBitmap): Promise<Maps> {
    if (this.#gpu !== null && this.#verdicts.get(model.sha256)?.used) {
      try {
        const maps = await this.#gpu.segment(model, image);
        this.#tell(model);
        return maps;
      } catch (error) {
        this.#dropGpu(`WebGPU failed: ${(error as Error).message}`);
      }
    }
    const maps = await this.#wasm.segment(model, image);
    this.#tell(model);
    return maps;
  }

  /** Find out whether WebGPU may compute a model, given an image and what WebAssembly says of it. Each model is tested once. */
  consider(model: SiteModel, image: ImageBitmap, right: Maps): void {
    if (this.#refused !== null || this.#verdicts.has(model.sha256)) return;
    this.#verdicts.set(model.sha256, { used: false, reason: "WebGPU is being tested" });
    this.#tell(model);
    void createImageBitmap(image).then(async (copy) => {
      const verdict = await this.#judge(model, copy, right).catch((error: Error) => ({
        used: false,
        reason: `WebGPU failed: ${error.message}`,
      }));
      copy.close();
      this.#verdicts.set(model.sha256, verdict);
      this.#tell(model);
    });
  }

  async #judge(model: SiteModel, image: ImageBitmap, right: Maps): Promise<Verdict> {
    const missing = await missingGpu(this.#preference);
    if (missing !== null) {
      this.#refused = missing;
      return { used: false, reason: missing };
    }
    this.#gpu ??= this.#startGpu();
    return this.#test(this.#gpu, model, image, right);
  }

  #startGpu(): Engine {
    const gpu = new Engine("webgpu", this.#runtimes.webgpu);
    gpu.onLost = (why) => this.#dropGpu(`the graphics processor was lost (${why || "no reason given"})`);
    return gpu;
  }

  async #test(gpu: Engine, model: SiteModel, image: ImageBitmap, right: Maps): Promise<Verdict> {
    const { adapter } = await gpu.open(model, () => {});
    const onTile = largestDifference(await this.#wasm.tile(model), await gpu.tile(model));
    if (onTile > MOST_DIFFERENCE) return wrong(onTile, "a test tile");
    await gpu.segment(model, image); // the first image of a size compiles its shaders
    const maps = await gpu.segment(model, image);
    const onImage = largestDifference(right, maps);
    if (onImage > MOST_DIFFERENCE) return wrong(onImage, "an image");
    const times = `${maps.milliseconds.toFixed(0)} ms, WebAssembly ${right.milliseconds.toFixed(0)} ms`;
    if (this.#preference === "auto" && maps.milliseconds > right.milliseconds)
      return { used: false, reason: `WebGPU (${adapter}) is slower here: ${times}` };
    const agrees = `agrees with WebAssembly to ${Math.max(onTile, onImage).toExponential(0)}`;
    return { used: true, reason: `${adapter}: ${agrees}; ${times} an image` };
  }

  #dropGpu(why: string): void {
    if (this.#gpu === null) return;
    this.#gpu.close();
    this.#gpu = null;
    this.#refused = why;
    this.#verdicts.clear();
    this.#tell(null);
    this.notice.value = `${why[0]!.toUpperCase()}${why.slice(1)}. WebAssembly computes instead.`;
  }

  #tell(model: SiteModel | null): void {
    const verdict = model === null ? undefined : this.#verdicts.get(model.sha256);
    this.computing.value = verdict?.used
      ? { kind: "webgpu", title: "WebGPU", reason: verdict.reason }
      : onWasm(verdict?.reason ?? this.#refused, this.#wasm.threads);
  }
}

interface Verdict {
  readonly used: boolean;
  readonly reason: string;
}

const wrong = (by: number, where: string): Verdict => ({
  used: false,
  reason: `WebGPU gives wrong results: its scores differ by ${by.toPrecision(2)} on ${where}, more than ${MOST_DIFFERENCE}`,
});
