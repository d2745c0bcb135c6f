import type { Library } from "./flags.js";

type Listed = Pick<Library["methods"][number], "name" | "title" | "quick" | "onRequest">;

/** Names and titles of methods, for the help of a command that takes them. */
export function methodHelp(methods: readonly Listed[], note: (method: Listed) => string = when): string {
  const width = Math.max(...methods.map(({ name }) => name.length));
  const rows = methods.map((method) => `  ${method.name.padEnd(width)}  ${method.title}${note(method)}`);
  return [
    "",
    "Methods:",
    ...rows,
    "NAME@adapted: such a baseline on the network after adaptation, e.g. max-softmax@adapted",
  ].join("\n");
}

function when({ quick, onRequest }: Listed): string {
  if (quick) return " (by default)";
  return onRequest ? " (only by name)" : "";
}
