import type { Command } from "commander";
import { exportableMethods } from "../deployment/export/exportable.js";
import type { Method } from "../methods/method.js";
import { methods } from "../methods/registry.js";

/** Add the names of methods to the help of the commands that take them. */
export function addMethodHelp(program: Command, among: readonly Method[] = methods): void {
  const texts = {
    evaluate: methodHelp(among, when),
    export: methodHelp(exportableMethods(among), () => ""),
  };
  for (const command of program.commands) {
    const text = texts[command.name() as keyof typeof texts];
    if (text !== undefined) command.addHelpText("after", text);
  }
}

function methodHelp(list: readonly Method[], note: (method: Method) => string): string {
  const width = Math.max(...list.map(({ name }) => name.length));
  const rows = list.map((method) => `  ${method.name.padEnd(width)}  ${method.title}${note(method)}`);
  return ["", "Methods:", ...rows].join("\n");
}

function when({ quick, onRequest }: Method): string {
  if (quick) return " (by default)";
  return onRequest ? " (only by name)" : "";
}
