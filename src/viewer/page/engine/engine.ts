/// <reference lib="dom" />
import { UserError, unpackError } from "../../../platform/errors.js";
import type { RuntimeKind, SiteFile, SiteModel } from "../../manifest.js";
import { threadsHere } from "./computing.js";
import type { Answer, Call, Calls, Maps, Opened, Progress, Start } from "./protocol.js";

interface Waiting {
  resolve(answer: Maps | Opened): void;
  reject(error: Error): void;
  progress(progress: Progress): void;
}

/** One worker and what it was asked. */
export class Engine {
  readonly kind: RuntimeKind;
  readonly threads: number;
  /** Told once, when the graphics processor is gone. */
  onLost: (why: string) => void = () => {};
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #next = 0;

  constructor(kind: RuntimeKind, runtime: SiteFile) {
    this.kind = kind;
    this.threads = kind === "wasm" ? threadsHere() : 1;
    this.#worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module", name: kind });
    const start: Start = { kind, base: document.baseURI, threads: this.threads, runtime };
    this.#worker.postMessage(start);
    this.#worker.addEventListener("message", ({ data }: MessageEvent<Answer>) => this.#hear(data));
    this.#worker.addEventListener("error", ({ message }) => this.#fail(message || "the worker could not be started"));
  }

  async open(model: SiteModel, onProgress: (progress: Progress) => void): Promise<Opened> {
    return (await this.#ask({ call: "open", given: [model] }, onProgress)) as Opened;
  }

  async segment(model: SiteModel, image: ImageBitmap): Promise<Maps> {
    return (await this.#ask({ call: "segment", given: [model.sha256, image] })) as Maps;
  }

  async tile(model: SiteModel): Promise<Maps> {
    return (await this.#ask({ call: "tile", given: [model.sha256] })) as Maps;
  }

  close(): void {
    this.#worker.terminate();
    for (const { reject } of this.#waiting.values()) reject(new UserError("the computation was stopped"));
    this.#waiting.clear();
  }

  #ask(
    call: { readonly [Name in keyof Calls]: Omit<Extract<Call, { call: Name }>, "id"> }[keyof Calls],
    progress: (progress: Progress) => void = () => {},
  ): Promise<Maps | Opened> {
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject, progress });
      this.#worker.postMessage({ id, ...call } as Call);
    });
  }

  #hear(data: Answer): void {
    if ("lost" in data) {
      this.onLost(data.lost);
      return;
    }
    const waiting = this.#waiting.get(data.id);
    if ("progress" in data) {
      waiting?.progress(data.progress);
      return;
    }
    this.#waiting.delete(data.id);
    if ("error" in data) waiting?.reject(unpackError(data.error));
    else waiting?.resolve(data.answer);
  }

  #fail(message: string): void {
    for (const { reject } of this.#waiting.values()) reject(new UserError(`the computation stopped: ${message}`));
    this.#waiting.clear();
  }
}
