import type { z } from "zod";
import { knownHint } from "./nearest.js";

type Issue = z.ZodError["issues"][number];

/** What is wrong with a setting, in words: its name, its value and what was wanted. `given` is what was parsed. */
export function describeIssue(issue: Issue, given: unknown): string {
  const name = issue.path.join(".") || "this";
  const value = issue.path.reduce<unknown>(
    (inner, key) => (inner as Record<PropertyKey, unknown> | undefined)?.[key],
    given,
  );
  const found = value === undefined ? `${name} is missing` : `${name} is ${JSON.stringify(value)}`;
  if (issue.code === "unrecognized_keys") {
    const keys = issue.keys.map((key) => `"${[...issue.path, key].join(".")}"`);
    return `there is no setting ${keys.join(", ")}`;
  }
  if (issue.code === "invalid_value") return `${found}; ${knownHint(String(value), issue.values.map(String))}`;
  if (issue.code === "invalid_type") return `${found}, wanted ${wanted[issue.expected] ?? issue.expected}`;
  if (issue.code === "invalid_union" && issue.discriminator !== undefined) {
    const names = "options" in issue && Array.isArray(issue.options) ? issue.options.map(String) : [];
    return `${found}; ${knownHint(String(value), names)}`;
  }
  return `${found}: ${issue.message.toLowerCase()}`;
}

const wanted: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  tuple: "a list",
  object: "a group of settings",
};
