import type { Command as Commander } from "commander";
import type { Flag, Given, Library, Values } from "./flags.js";
import { InterruptSignal } from "./interrupt.js";

type Flags = Readonly<Record<string, Flag<unknown>>>;

/** What a command is given beside its words. */
export interface Context {
  readonly library: Library;
  /** Aborted by Ctrl-C and SIGTERM, from the first time that it is asked for. */
  readonly signal: AbortSignal;
}

interface Parts<Words extends Flags, Options extends Flags> {
  /** As it is typed; two words where it belongs to another, e.g. "scenes preview". */
  readonly name: string;
  readonly about: string;
  /** Words without a flag, in order. */
  readonly words: Words;
  readonly flags: Options;
  /** More help, which takes the library to write. */
  readonly help?: (library: Library) => string;
  run(given: Values<Words> & Values<Options>, context: Context): Promise<void>;
}

/** A command of `gssl`. */
export interface Command {
  readonly name: string;
  readonly help?: (library: Library) => string;
  addTo(program: Commander): Commander;
}

/** Declare a command: its flags are typed, checked and described by one list. */
export function command<const Words extends Flags, const Options extends Flags>(parts: Parts<Words, Options>): Command {
  const { name, about, words, flags, help } = parts;
  return {
    name,
    ...(help && { help }),
    addTo(program) {
      const path = name.split(" ");
      const made = parentOf(program, path).command(path.at(-1)!).description(about);
      for (const word of Object.values(words)) made.argument(word.takes, word.about);
      for (const [key, flag] of Object.entries(flags)) {
        const spelled = `${spelling(key)}${flag.takes === "" ? "" : ` ${flag.takes}`}`;
        if (flag.required) made.requiredOption(spelled, flag.about);
        else made.option(spelled, flag.about, flag.usual);
      }
      return made.action(async (...given: unknown[]) => {
        // The library takes a while to load: only when a command runs, so that --help stays quick.
        const library = await import("../../index.js");
        const options = given[Object.keys(words).length] as Record<string, Given>;
        if (typeof options.plugin === "string") await library.loadPlugin(options.plugin);
        const read = (key: string, flag: Flag<unknown>, raw: Given, label: string) => [
          key,
          flag.read(raw, label, library),
        ];
        const values = Object.fromEntries([
          ...Object.entries(words).map(([key, word], i) => read(key, word, given[i] as Given, word.takes)),
          ...Object.entries(flags).map(([key, flag]) => read(key, flag, options[key], spelling(key))),
        ]) as Values<Words> & Values<Options>;
        const interrupt = new InterruptSignal();
        const context = {
          library,
          get signal() {
            return interrupt.signal;
          },
        };
        await parts.run(values, context).finally(() => interrupt.forget());
      });
    },
  };
}

/** "--source-val" of sourceVal */
const spelling = (key: string): string => `--${key.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`)}`;

function parentOf(program: Commander, path: readonly string[]): Commander {
  if (path.length === 1) return program;
  return program.commands.find((one) => one.name() === path[0])!;
}
