import { printJson } from "../../platform/print.js";
import { commandLine } from "./commandLine.js";
import type { Library } from "./flags.js";
import { duration, screenOn, TrainStatus } from "./trainStatus.js";

type TrainOptions = Parameters<Library["train"]>[1];

/** Train, showing how it goes: a status line for people, or events as JSON lines. The method that was trained. */
export async function showTraining(
  library: Library,
  settings: object,
  { json = false, verbose = false, ...options }: TrainOptions & { readonly json?: boolean; readonly verbose?: boolean },
): Promise<string> {
  const screen = screenOn(json ? process.stderr : process.stdout);
  const status = new TrainStatus(screen, { verbose });
  const started = performance.now();
  const took = (): string => duration((performance.now() - started) / 1000);
  try {
    const { method } = await library.train(settings, {
      ...options,
      command: commandLine(),
      onEvent: (event) => (json ? printJson(event) : status.show(event)),
    });
    screen.line(`finished; weights are in ${options.to} (${took()})`);
    return method;
  } catch (error) {
    if (options.signal?.aborted) screen.line(`stopped after ${took()}; the same command continues from here`);
    throw error;
  }
}
