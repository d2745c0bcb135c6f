import { UserError } from "../../platform/errors.js";
import { choice, type Library, text, toggle, whole } from "./flags.js";

/** A method or reader of the user's: loaded before any flag is read, see command.ts. */
export const plugin = text("<file>", "JavaScript file with a method or a reader of your own (docs/baselines.md)");

/** Flags that several commands take. */
export const threads = whole("<n>", [1, 256], "threads to compute with (default: all cores)");
export const device = choice(
  "<name>",
  ({ devices }) => devices,
  "where to compute: cpu, webgpu (any GPU), cuda, coreml, dml, or auto (default: cpu); docs/gpu.md",
);
export const cache = text(
  "<folder>",
  "where drawn scenes and remembered checks are kept (default: ~/.cache/gamma-ssl)",
);
export const json = toggle("print the result as JSON and nothing else");
export const seed = (about: string) => whole("<n>", [0, 2 ** 31 - 1], about);
export const sourceVal = text("<spec>", "held-out labelled images of the source, to choose settings of methods on");
export const gmmPrior = ["shares", "even"] as const;
export const checkpoint = text(
  "<which>",
  "which weights of the run: last, or those of a stage, e.g. 1-pretraining (default: last)",
);

/** Of commands that listen. */
export const host = text(
  "<address>",
  "address to listen on; any but this machine's own needs --token (default: 127.0.0.1)",
);
export const token = text(
  "<token>",
  "asked of every request, as a bearer token or as a password; @file reads it from a file",
);
export const tokenOf = async (given: string | undefined, library: Library): Promise<string | undefined> =>
  given?.startsWith("@") ? library.readToken(given.slice(1)) : given;

/** Of commands that print in several formats: at most one of them. */
export function requireOneFormat(formats: Readonly<Record<string, boolean>>): void {
  const asked = Object.keys(formats).filter((format) => formats[format]);
  if (asked.length > 1) {
    throw new UserError(`--${asked.join(" and --")} at once`, { hint: "choose one", code: "bad-option" });
  }
}
