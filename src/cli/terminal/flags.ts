import { UserError } from "../../platform/errors.js";
import { knownHint } from "../../platform/nearest.js";

export type Library = typeof import("../../index.js");

/** A flag, or a word without one: how it is typed, what it is for, and what becomes of its text. */
export interface Flag<Value> {
  /** What follows it, e.g. "<n>"; "<specs...>" for several words; "" for nothing. */
  readonly takes: string;
  readonly about: string;
  /** Its text where it is left out. */
  readonly usual?: string;
  readonly required?: true;
  /** `name` is for messages. The library knows the names of things. */
  read(given: Given, name: string, library: Library): Value;
}

/** What commander makes of a flag. */
export type Given = string | readonly string[] | boolean | undefined;

/** The values of some flags, by name. */
export type Values<Flags> = { [Name in keyof Flags]: Flags[Name] extends Flag<infer Value> ? Value : never };

function single<Value>(
  takes: string,
  about: string,
  parse: (text: string, name: string, library: Library) => Value,
): Flag<Value | undefined> {
  return {
    takes,
    about,
    read: (given, name, library) => (typeof given === "string" ? parse(given, name, library) : undefined),
  };
}

/** Text as it is. */
export const text = (takes: string, about: string): Flag<string | undefined> => single(takes, about, (given) => given);

/** Several words, e.g. "<specs...>". */
export const texts = (takes: string, about: string): Flag<readonly string[] | undefined> => ({
  takes,
  about,
  read: (given) => (Array.isArray(given) ? given : undefined),
});

/** There or not. */
export const toggle = (about: string): Flag<boolean> => ({ takes: "", about, read: (given) => given === true });

/** A whole number within bounds. */
export const whole = (
  takes: string,
  [least, most]: readonly [number, number],
  about: string,
): Flag<number | undefined> =>
  single(takes, about, (given, name) => {
    const value = Number(given);
    if (/^\d+$/.test(given) && value >= least && value <= most) return value;
    throw wrong(name, given, `a whole number from ${least} to ${most}`);
  });

/** Any number, or one with a property that `wanted` puts into words. */
export const number = (
  takes: string,
  about: string,
  wanted = "a number",
  fits: (value: number) => boolean = () => true,
): Flag<number | undefined> => single(takes, about, (given, name) => numberIn(given, name, wanted, fits));

/** Numbers joined by commas. */
export const numbers = (
  takes: string,
  about: string,
  wanted: string,
  fits: (value: number) => boolean,
): Flag<readonly number[] | undefined> =>
  single(takes, about, (given, name) => [
    ...new Set(split(given).map((part) => numberIn(part, name, `numbers ${wanted}, joined by commas`, fits))),
  ]);

/** One of some names; a function where the library has them. */
export const choice = <const Name extends string>(
  takes: string,
  names: readonly Name[] | ((library: Library) => readonly Name[]),
  about: string,
): Flag<Name | undefined> =>
  single(takes, about, (given, name, library) =>
    named(given, name, typeof names === "function" ? names(library) : names),
  );

/** Some of some names, joined by commas. */
export const choices = <Name extends string>(
  takes: string,
  names: (library: Library) => readonly Name[],
  about: string,
): Flag<readonly Name[] | undefined> =>
  single(takes, about, (given, name, library) => split(given).map((part) => named(part, name, names(library))));

/** Any names, joined by commas. */
export const names = (takes: string, about: string): Flag<readonly string[] | undefined> =>
  single(takes, about, (given) => split(given));

/** Timers count to 24 days. */
const MOST_SECONDS = 20 * 86_400;

/** Seconds, from a time such as 45m, 2h or 1h30m. */
export const time = (takes: string, about: string): Flag<number | undefined> =>
  single(takes, about, (given, name) => {
    const parts = /^(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m(?:in)?)?(?:(\d+)s)?$/.exec(given)?.slice(1) ?? [];
    const [days = 0, hours = 0, minutes = 0, seconds = 0] = parts.map((part) => Number(part ?? 0));
    const all = ((days * 24 + hours) * 60 + minutes) * 60 + seconds;
    if (all > 0 && all <= MOST_SECONDS) return all;
    throw wrong(name, given, "a time up to 20d, such as 45m, 2h or 1h30m");
  });

/** Height x width, e.g. 128x256. */
export const extent = (takes: string, about: string): Flag<readonly [height: number, width: number] | undefined> =>
  single(takes, about, (given, name) => {
    const match = /^(\d+)x(\d+)$/.exec(given);
    if (match === null) throw wrong(name, given, "height x width, for example 128x256");
    return [Number(match[1]), Number(match[2])];
  });

/** With a value where it is left out. */
export const usually = <Value>(flag: Flag<Value>, usual: string): Flag<Exclude<Value, undefined>> => ({
  ...(flag as Flag<Exclude<Value, undefined>>),
  usual,
});

/** Without which there is nothing to do. */
export const required = <Value>(flag: Flag<Value>): Flag<Exclude<Value, undefined>> => ({
  ...(flag as Flag<Exclude<Value, undefined>>),
  required: true,
});

const split = (given: string): string[] =>
  given
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");

function numberIn(given: string, name: string, wanted: string, fits: (value: number) => boolean): number {
  const value = Number(given);
  if (given.trim() !== "" && Number.isFinite(value) && fits(value)) return value;
  throw wrong(name, given, wanted);
}

function named<Name extends string>(given: string, name: string, names: readonly Name[]): Name {
  const found = names.find((one) => one === given);
  if (found !== undefined) return found;
  throw new UserError(`${name} is "${given}"`, { hint: knownHint(given, names), code: "bad-option" });
}

const wrong = (name: string, given: string, wanted: string): UserError =>
  new UserError(`${name} is "${given}", wanted ${wanted}`, { code: "bad-option" });
