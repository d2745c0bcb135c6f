import { invariant } from "../../platform/errors.js";

/**
 * Where in the network we are building, e.g. `encoder/layer3/0/conv1`.
 *
 * The one piece of hidden state of the engine: it lives only while `within` is on the call stack, and it decides
 * names, never results. Passing a path to every `add` and `relu` would bury the mathematics.
 */
const open: string[] = [];

/** Build something under a path: every node made by `build` carries it, and so does every error. */
export function within<T>(path: string, build: () => T): T {
  open.push(path);
  try {
    const built = build();
    invariant(!(built instanceof Promise), `building "${currentPath()}" must not wait for anything`);
    return built;
  } finally {
    open.pop();
  }
}

export const currentPath = (): string => open.join("/");
