import type { Method } from "../methods/parts/method.js";
import { codeOfAdded } from "../methods/registry.js";
import { codeHash } from "../platform/codeHash.js";
import { contentHash, type TrainConfig } from "./config.js";

/** What a piece of work that a run folder keeps depends on: a fit, a choice of settings, a result. */
export interface Work {
  readonly method: Method;
  /** Fingerprint of the weights that it looks through. */
  readonly weights: string;
  /** Hash of the content of the data. */
  readonly data: string;
  /** The config of these weights. */
  readonly config: TrainConfig;
  /** `import.meta.url` of the module that does the work. */
  readonly module: string;
  /** What else decides it: policies, candidates, how it is chosen. */
  readonly options?: unknown;
}

/** What this package's methods are made of. */
const METHODS = new URL("../methods/registry.js", import.meta.url);

/**
 * The same for work that would come out the same: what is kept under another key is done anew. The code counts: that of the module and
 * all it imports, and that of the method.
 */
export async function workKey({ method, weights, data, config, module, options = null }: Work): Promise<string> {
  const code = [await codeHash(module), await codeHash(METHODS), codeOfAdded(method.name)];
  const { seed, view } = config;
  // Of a config, what decides how weights are looked through; the rest is in the weights.
  const looking = [seed, view.height, config.method === "gamma-ssl" ? config.options : null];
  return contentHash({ method: method.name, weights, data, code, looking, options });
}
