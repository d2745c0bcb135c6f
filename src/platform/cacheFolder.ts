import { homedir } from "node:os";
import { join } from "node:path";

/** Where drawn scenes and remembered checks are kept unless a command says otherwise. It can be deleted at any time. */
export function cacheFolder(): string {
  return join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "gamma-ssl");
}
