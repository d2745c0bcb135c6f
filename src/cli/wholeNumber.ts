import { UserError } from "../platform/errors.js";

/** A whole number from the command line, within bounds. */
export function wholeNumber(option: string, text: string, [least, most]: readonly [number, number]): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < least || value > most) {
    throw new UserError(`--${option} is "${text}", wanted a whole number from ${least} to ${most}`);
  }
  return value;
}
