import type { z } from "zod";
import { knownHint } from "./nearest.js";

type Issue = z.core.$ZodIssue;

/** Characters of a value that are shown. */
const SHOWN = 60;

/**
 * What is wrong with a setting or a field of a file, in words: its name, its value and what was wanted. `given` is what was parsed; `noun`
 * is what its fields are called.
 */
export function describeIssue(issue: Issue, given: unknown, noun = "field"): string {
  const path = issue.path.join(".");
  const value = issue.path.reduce<unknown>(
    (inner, key) => (inner as Record<PropertyKey, unknown> | undefined)?.[key],
    given,
  );
  if (issue.code === "unrecognized_keys") {
    const keys = issue.keys.map((key) => `"${[...issue.path, key].join(".")}"`);
    return `there is no ${noun} ${keys.join(", ")}`;
  }
  const found = value === undefined ? `${path || "it"} is missing` : `${path || "it"} is ${shown(value)}`;
  if (issue.code === "custom" && path === "") return issue.message;
  if (issue.code === "invalid_value" && issue.values.length > 1 && typeof value === "string")
    return `${found}; ${knownHint(String(value), issue.values.map(String))}`;
  if (issue.code === "invalid_union" && issue.discriminator !== undefined) {
    const names = "options" in issue && Array.isArray(issue.options) ? issue.options.map(String) : [];
    return `${found}; ${knownHint(String(value), names)}`;
  }
  const wanted = wantedBy(issue, value);
  return wanted === null ? `${found}: ${issue.message}` : `${found}, wanted ${wanted}`;
}

/** What would have been right; null where the schema has a message of its own. */
function wantedBy(issue: Issue, value: unknown): string | null {
  switch (issue.code) {
    case "invalid_type":
      return kinds[issue.expected] ?? issue.expected;
    case "invalid_value":
      return issue.values.map(shown).join(" or ");
    case "not_multiple_of": {
      const low = Math.floor(Number(value) / issue.divisor) * issue.divisor;
      const near = [low, low + issue.divisor].filter((one) => one > 0).join(" or ");
      return `a multiple of ${issue.divisor}, e.g. ${near}`;
    }
    case "too_small":
      return `${issue.inclusive ? "at least" : "more than"} ${issue.minimum}${units(issue)}`;
    case "too_big":
      return `${issue.inclusive ? "at most" : "less than"} ${issue.maximum}${units(issue)}`;
    case "invalid_union": {
      const each = issue.errors.map(([first]) => (first === undefined ? null : wantedBy(first, value)));
      return each.includes(null) ? null : [...new Set(each)].join(", or ");
    }
    default:
      return null;
  }
}

const units = ({ origin }: { readonly origin: string }): string =>
  origin === "array" ? " entries" : origin === "string" ? " characters" : "";

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}

const kinds: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  tuple: "a list",
  object: "an object, { … }",
  record: "an object, { … }",
};
