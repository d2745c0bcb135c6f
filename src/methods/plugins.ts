import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Reader } from "../data/datasets/reader.js";
import { addReader } from "../data/open/openDataset.js";
import { constant } from "../engine/graph/value.js";
import * as elementwise from "../engine/ops/elementwise.js";
import * as gather from "../engine/ops/gather.js";
import * as matmul from "../engine/ops/matmul.js";
import * as reduce from "../engine/ops/reduce.js";
import * as select from "../engine/ops/select.js";
import * as shaping from "../engine/ops/shaping.js";
import { codeHash } from "../platform/codeHash.js";
import { UserError } from "../platform/errors.js";
import { checkedMethod, checkedReader } from "./checkedPlugin.js";
import type { OnePassMethod } from "./parts/method.js";
import { addMethod } from "./registry.js";

/** What a plugin adds: a method of one pass as in `baselines/`, or a reader of data sets as in `data/datasets/readers`. */
type Addition = OnePassMethod | Reader;

/** What a plugin that exports a function is given: one that imported them by itself might get them from another copy of the package. */
const ops = { constant, ...elementwise, ...gather, ...matmul, ...reduce, ...select, ...shaping };

/** Names of what a plugin added. */
export interface Plugin {
  readonly methods: readonly string[];
  readonly readers: readonly string[];
}

/**
 * Load a file of a user's: its default export is a method or a reader, a list of them, or a function that is given ops and returns
 * one of these. Commands, hints and tables then know them by name. Data sets are plain lists of files once
 * they are open, so training processes and threads need nothing of it.
 */
export async function loadPlugin(file: string): Promise<Plugin> {
  const path = resolve(file);
  const before = loaded.get(path);
  if (before !== undefined) return before;
  const additions = await additionsOf(file);
  for (const one of additions) refuseIncomplete(one, file);
  const readers = additions.flatMap((one) => ("open" in one ? [one] : []));
  const methods = additions.flatMap((one) => ("open" in one ? [] : [one]));
  for (const reader of readers) addReader(checkedReader(reader, file));
  if (methods.length > 0) {
    const code = await codeHash(path);
    for (const method of methods) addMethod(checkedMethod(method, file), code);
  }
  const plugin = { methods: methods.map(({ name }) => name), readers: readers.map(({ name }) => name) };
  loaded.set(path, plugin);
  return plugin;
}

/** A file is loaded once, however often it is asked for. */
const loaded = new Map<string, Plugin>();

async function additionsOf(file: string): Promise<Addition[]> {
  try {
    const { default: found } = (await import(pathToFileURL(resolve(file)).href)) as { default?: unknown };
    const made: unknown = typeof found === "function" ? await found(ops) : found;
    return (Array.isArray(made) ? made : [made]) as Addition[];
  } catch (cause) {
    const why = cause instanceof Error ? cause.message.split("\n")[0]! : String(cause);
    throw new UserError(`the plugin ${file} cannot be loaded: ${why}`, {
      hint: file.endsWith(".ts")
        ? "compile it to .js first"
        : "is the path right? it is JavaScript with a default export; docs/baselines.md has an example",
      cause,
    });
  }
}

/** Everything that would otherwise fail later, in a place that does not name the plugin. */
function refuseIncomplete(one: unknown, file: string): void {
  const refuse = (what: string): UserError =>
    new UserError(`the plugin ${file}: ${what}`, {
      hint: "its default export is a method (examples/margin.ts), a reader (docs/data.md), or a list of them",
    });
  if (typeof one !== "object" || one === null) throw refuse(`exports ${one === undefined ? "nothing" : typeof one}`);
  const record = one as Readonly<Record<string, unknown>>;
  if (typeof record.name !== "string" || !/^[a-z0-9-]+$/.test(record.name)) {
    throw refuse(`name is ${JSON.stringify(record.name)}, wanted small letters, digits and dashes`);
  }
  const wanted: Readonly<Record<string, "string" | "function" | "object">> =
    "open" in record
      ? { summary: "string", options: "object", open: "function" }
      : { title: "string", family: "string", network: "string", score: "function" };
  for (const [key, type] of Object.entries(wanted)) {
    if (typeof record[key] !== type) throw refuse(`"${record.name}" has no ${key}${type === "function" ? "()" : ""}`);
  }
  if ("open" in record) return;
  if (record.kind !== "one-pass")
    throw refuse(`"${record.name}" has kind ${JSON.stringify(record.kind)}, wanted "one-pass"`);
  if (record.network !== "source" && record.network !== "adapted") {
    throw refuse(`"${record.name}" has network "${record.network}", wanted "source" or "adapted"`);
  }
  if (!["epistemic", "representation", "further", "ours"].includes(String(record.family))) {
    throw refuse(`"${record.name}" has family "${record.family}", wanted "further", "epistemic" or "representation"`);
  }
}
