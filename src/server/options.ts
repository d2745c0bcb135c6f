import type { ReadModel } from "../viewer/site.js";
import type { Site } from "./http/site.js";
import type { Timeouts } from "./http/timeouts.js";
import type { Reloaded } from "./pool/reloadModel.js";

/** How models are served. */
export interface ServeOptions {
  /** Address to listen on; 127.0.0.1 when left out. Any other than this machine's own needs a token. */
  readonly host?: string | undefined;
  /** Origins whose pages may ask, e.g. "https://example.com"; "*" for all, without a token only. None when left out. */
  readonly allowOrigins?: readonly string[] | undefined;
  /** 8000 when left out; 0 takes a free one. */
  readonly port?: number | undefined;
  /** Needed by every request but those for health, as a bearer token or as a password. */
  readonly token?: string | undefined;
  /** Processes for each model; 2 when left out, 1 on one core. */
  readonly processes?: number | undefined;
  /** Threads of each process; when left out, the cores are shared out. */
  readonly threads?: number | undefined;
  /** Requests for a model that may wait; 32 when left out. */
  readonly queue?: number | undefined;
  /** Larger bodies are refused; 8 MiB when left out. */
  readonly mostBytes?: number | undefined;
  /** Images of more pixels are refused; 50 million when left out. */
  readonly mostPixels?: number | undefined;
  readonly timeouts?: Partial<Timeouts> | undefined;
  /** Reload model files that change; else `reload` alone does. */
  readonly watch?: boolean | undefined;
  /** Makes a static site of the models that are served, to be served beside the API: `siteFiles`. A page that lists the API when left out. */
  readonly site?: ((models: readonly ReadModel[]) => Promise<Site>) | undefined;
  /** Called with what an operator should know: processes that ended, models that were read again. */
  readonly onNote?: ((message: string) => void) | undefined;
}

/** How a model is doing. */
export interface ModelStatus {
  readonly name: string;
  readonly file: string;
  readonly sha256: string;
  /** Undefined when it answers requests, else why it does not. */
  readonly notReady: string | undefined;
  /** Process ids of those that hold it. */
  readonly pids: readonly number[];
  readonly queued: number;
  readonly running: number;
}

/** A server that listens. */
export interface RunningServer {
  /** e.g. "http://127.0.0.1:8000" */
  readonly url: string;
  status(): readonly ModelStatus[];
  /** Read the model files again. A model that is refused is not replaced; no request is dropped. */
  reload(): Promise<readonly Reloaded[]>;
  /** Answer what was asked, take nothing new, end. */
  close(): Promise<void>;
}
