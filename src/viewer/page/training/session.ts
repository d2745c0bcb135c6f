/// <reference lib="dom" />
import { batch, signal } from "@preact/signals";
import { UserError, unpackError } from "../../../platform/errors.js";
import type { RuntimeKind, SiteManifest, SiteTraining } from "../../manifest.js";
import { type Computing, missingGpu, onWasm, type Preference, threadsHere } from "../engine/computing.js";
import type { Progress } from "../engine/protocol.js";
import type { Measured, News, Shown, Step, TrainingStart, Wish } from "./protocol.js";

/** Where a training stands; "waiting" is before the first step. */
export type Phase = "opening" | "waiting" | "running" | "paused" | "finished" | "failed";

/** A training in a worker, as the page sees it. It lives as long as its view. */
export class TrainingSession {
  readonly phase = signal<Phase>("opening");
  /** What takes a while just now. */
  readonly busy = signal<string | null>(null);
  readonly progress = signal<Progress | null>(null);
  readonly computing = signal<Computing>(onWasm(null));
  readonly shown = signal<Shown | null>(null);
  /** Of the training that runs, in order. */
  readonly steps = signal<readonly Step[]>([]);
  readonly measured = signal<readonly Measured[]>([]);
  readonly total = signal(0);
  readonly trouble = signal<{ readonly message: string; readonly hint: string | undefined } | null>(null);
  readonly #training: SiteTraining;
  readonly #runtimes: SiteManifest["runtimes"];
  readonly #preference: Preference;
  #worker: Worker | null = null;
  #closed = false;

  constructor(training: SiteTraining, runtimes: SiteManifest["runtimes"], preference: Preference) {
    this.#training = training;
    this.#runtimes = runtimes;
    this.#preference = preference;
    this.#open();
  }

  /** A worker of the fastest kind that can be tried here. */
  #open(): void {
    void missingGpu(this.#preference).then((missing) => this.#start(missing === null ? "webgpu" : "wasm", missing));
  }

  /** Start, or go on. */
  run(): void {
    this.#wish("run");
    this.phase.value = "running";
  }

  /** Stop after the step that is being computed. */
  pause(): void {
    this.#wish("pause");
    this.busy.value = "finishing this step";
  }

  /** Throw away what was learned; after a failure, with a new worker. */
  restart(): void {
    if (this.phase.value === "failed") this.#open();
    else this.#wish("restart");
    this.phase.value = "opening";
    this.trouble.value = null;
  }

  close(): void {
    this.#closed = true;
    this.#worker?.terminate();
  }

  #wish(wish: Wish): void {
    this.#worker?.postMessage(wish);
  }

  /** A worker for one kind of runtime; `why` it is not a faster one. */
  #start(kind: RuntimeKind, why: string | null): void {
    if (this.#closed) return;
    this.#worker?.terminate();
    const threads = threadsHere();
    const worker = new Worker(new URL("./trainingWorker.ts", import.meta.url), { type: "module", name: "training" });
    this.#worker = worker;
    this.phase.value = "opening";
    this.computing.value = kind === "wasm" ? onWasm(why, threads) : gpuTested;
    worker.addEventListener("message", ({ data }: MessageEvent<News>) => this.#hear(data));
    worker.addEventListener("error", ({ message }) => this.#fail(new UserError(message || "the worker did not start")));
    const start: TrainingStart = {
      ...{ kind, threads, base: document.baseURI, runtime: this.#runtimes[kind] },
      training: this.#training,
      fastest: this.#preference === "auto",
    };
    worker.postMessage(start);
  }

  #hear(news: News): void {
    batch(() => {
      this.progress.value = news.kind === "loading" ? news.progress : null;
      this.busy.value = news.kind === "busy" ? news.what : null;
      switch (news.kind) {
        case "opened":
          this.shown.value = news.shown;
          if (news.adapter !== null) this.computing.value = onGpu(news.adapter);
          break;
        case "begun":
          this.total.value = news.steps;
          this.steps.value = [];
          this.measured.value = [];
          break;
        case "ready":
          this.phase.value = "waiting";
          break;
        case "step":
          this.steps.value = [...this.steps.value, news.step];
          break;
        case "measured":
          this.measured.value = [...this.measured.value, news.measured];
          break;
        case "paused":
        case "finished":
          this.phase.value = news.kind;
          break;
        case "refused":
          this.#start("wasm", news.why);
          break;
        case "failed":
          this.#fail(unpackError(news.error));
      }
    });
  }

  #fail(error: Error): void {
    this.phase.value = "failed";
    this.trouble.value = { message: error.message, hint: error instanceof UserError ? error.hint : undefined };
    this.#worker?.terminate();
  }
}

const gpuTested: Computing = {
  kind: "wasm",
  title: "Testing WebGPU",
  reason: "WebGPU trains once its first losses agree with WebAssembly's",
};

const onGpu = (adapter: string): Computing => ({
  kind: "webgpu",
  title: "WebGPU",
  reason: `${adapter}: its first losses agree with WebAssembly's, and it is faster`,
});
