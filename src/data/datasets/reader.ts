import { UserError } from "../../platform/errors.js";
import { knownHint } from "../../platform/nearest.js";
import { printable } from "../../platform/printable.js";
import type { Labelling } from "../labels/labelSpace.js";
import type { Item } from "./dataset.js";
import type { Problem } from "./problem.js";

/** What opening needs from outside. */
export interface OpenOptions {
  /** Where drawn scenes and images of logs are kept. Readers of files on disk do not need it. */
  readonly cache?: string;
  /** Called while scenes are drawn, or images taken out of a log. */
  readonly onProgress?: (done: number, total: number) => void;
}

/** The cache folder, for a reader that cannot do without. */
export function requireCache({ cache }: OpenOptions, what: string): string {
  if (cache !== undefined) return cache;
  throw new UserError(`${what} needs a cache folder`, { hint: "pass { cache: folder }" });
}

/** What a reader found on disk. */
export interface Found {
  readonly items: readonly Item[];
  readonly labelling: Labelling | null;
  readonly problems: readonly Problem[];
  /** Makes the files of the items that are kept, where they are not on disk yet, and says where they are. */
  prepare?(kept: readonly Item[]): Promise<readonly Item[]>;
}

/** One kind of data set: where its files lie and what its labels mean. */
export interface Reader {
  readonly name: string;
  readonly summary: string;
  /** Option name to what it does, its values and default. */
  readonly options: Readonly<Record<string, string>>;
  open(path: string, options: Options, context: OpenOptions): Promise<Found>;
}

/**
 * Options of a spec, read by a reader. Each one that is asked for is remembered with the value it came to, so that the spec of
 * the opened data set spells out every default.
 */
export class Options {
  readonly resolved = new Map<string, string>();
  readonly #reader: string;
  readonly #given: ReadonlyMap<string, string>;

  constructor(reader: string, given: ReadonlyMap<string, string>) {
    this.#reader = reader;
    this.#given = given;
  }

  /** Was it given at all? */
  has(key: string): boolean {
    return this.#given.has(key);
  }

  /** Whatever was given; undefined otherwise. */
  text(key: string): string | undefined {
    const value = this.#given.get(key);
    if (value !== undefined) this.resolved.set(key, value);
    return value;
  }

  /** One of several words. */
  choice<const Word extends string>(key: string, words: readonly Word[], otherwise: Word): Word {
    const given = this.#given.get(key) ?? otherwise;
    const word = words.find((known) => known === given);
    if (word === undefined) {
      throw new UserError(`${this.#reader}: ${key} is "${printable(given)}"`, { hint: knownHint(given, words) });
    }
    this.resolved.set(key, word);
    return word;
  }

  /** Several of several words, joined by "+" or ",": `split=train+val`. */
  choices<const Word extends string>(key: string, words: readonly Word[], otherwise: Word): Word[] {
    const given = (this.#given.get(key) ?? otherwise).split(/[+,]/);
    const chosen = words.filter((word) => given.includes(word));
    const strange = given.find((word) => !words.some((known) => known === word));
    if (strange !== undefined) {
      throw new UserError(`${this.#reader}: ${key} is "${printable(strange)}"`, { hint: knownHint(strange, words) });
    }
    this.resolved.set(key, chosen.join("+"));
    return chosen;
  }

  /** A whole number from 1 up; undefined if it was not given. */
  count(key: string): number | undefined {
    const given = this.#given.get(key);
    if (given === undefined) return undefined;
    if (!/^[1-9]\d{0,8}$/.test(given)) {
      throw new UserError(`${this.#reader}: ${key} is "${printable(given)}", wanted a whole number from 1`, {
        hint: `for example ${key}=8`,
      });
    }
    this.resolved.set(key, given);
    return Number(given);
  }

  /** A number from 0 up; undefined if it was not given. */
  number(key: string): number | undefined {
    const given = this.#given.get(key);
    if (given === undefined) return undefined;
    if (!/^\d{1,12}(\.\d{1,9})?$/.test(given)) {
      throw new UserError(`${this.#reader}: ${key} is "${printable(given)}", wanted a number from 0`, {
        hint: `for example ${key}=2.5`,
      });
    }
    this.resolved.set(key, given);
    return Number(given);
  }

  /** A word that will stand in the spec though it was found out, not given. */
  resolve(key: string, value: string): void {
    this.resolved.set(key, value);
  }
}
