import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { gammaOptionsSchema, type ProfileName, profiles, profileViews } from "./options.js";

/** Every setting by its path in a config file. A list of numbers is one setting. */
function settings(value: unknown, path: string): [path: string, value: string][] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    const rounded = JSON.stringify(value, (_, part) => (typeof part === "number" ? Number(part.toPrecision(3)) : part));
    return [[path, rounded.replaceAll('"', "").replaceAll(",", ", ")]];
  }
  return Object.entries(value).flatMap(([key, part]) => settings(part, `${path}.${key}`));
}

const settingsOf = (profile: ProfileName): Map<string, string> =>
  new Map([...settings(profiles[profile], "options"), ...settings(profileViews[profile], "view")]);

test("each profile is valid by the schema, and the table of docs/method.md has exactly what differs between them", () => {
  for (const profile of Object.values(profiles)) expect(gammaOptionsSchema.parse(profile)).toEqual(profile);
  const [paper, official, small] = (["paper", "official", "small"] as const).map(settingsOf) as [
    Map<string, string>,
    Map<string, string>,
    Map<string, string>,
  ];
  const paths = new Set([paper, official, small].flatMap((one) => [...one.keys()]));
  const differing = [...paths]
    .map((path) => [path, ...[paper, official, small].map((one) => one.get(path) ?? "–")])
    .filter(([, ...values]) => new Set(values).size > 1);
  const documented = [...readFileSync("docs/method.md", "utf8").matchAll(/^\| `((?:options|view)\..*)$/gm)].map(
    ([, row]) => {
      const [path, , ...values] = row!.split("|").map((cell) => cell.trim());
      return [path!.replace("`", ""), ...values.slice(0, 3)];
    },
  );
  expect(documented).toEqual(differing);
});
