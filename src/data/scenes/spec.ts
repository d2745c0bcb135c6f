import { UserError } from "../../platform/errors.js";
import { city, dusk, night } from "./domains/city.js";
import type { Domain } from "./domains/domain.js";
import { forest } from "./domains/forest.js";
import { town } from "./domains/town.js";
import { foothills, highland } from "./domains/upland.js";
import { wild } from "./domains/wild.js";

/** Every place there is, and what may be taken from it. Names in the terminal and in hints come from here. */
export const domains = {
  city: { draw: city, splits: { train: "labelled", val: "labelled" } },
  dusk: { draw: dusk, splits: { train: "unlabelled", test: "labelled" } },
  night: { draw: night, splits: { train: "unlabelled", test: "labelled" } },
  town: { draw: town, splits: { train: "unlabelled", test: "labelled" } },
  forest: { draw: forest, splits: { train: "unlabelled", test: "labelled" } },
  foothills: { draw: foothills, splits: { train: "unlabelled", test: "labelled" } },
  highland: { draw: highland, splits: { train: "unlabelled", test: "labelled" } },
  wild: { draw: wild, splits: { test: "labelled" } },
} as const satisfies Record<string, { draw: Domain; splits: Partial<Record<Split, "labelled" | "unlabelled">> }>;

export type DomainName = keyof typeof domains;
export type Split = "train" | "val" | "test";

/** Which images: everything that decides a byte of them. */
export interface ScenesSpec {
  readonly domain: DomainName;
  readonly split: Split;
  readonly count: number;
  readonly seed: number;
  readonly height: number;
  readonly width: number;
}

const defaults = { count: 200, seed: 0, height: 128, width: 256 } as const;

/** Sizes and counts we are willing to draw. */
const limits = {
  count: [1, 1_000_000],
  seed: [0, 2 ** 31 - 1],
  height: [16, 2048],
  width: [16, 4096],
} as const satisfies Record<keyof typeof defaults, readonly [number, number]>;

export function isDomain(name: string): name is DomainName {
  return Object.hasOwn(domains, name);
}

/** Does this split of this domain come with labels? Undefined if there is no such split. */
export function labelling(domain: DomainName, split: string): "labelled" | "unlabelled" | undefined {
  const splits: Partial<Record<string, "labelled" | "unlabelled">> = domains[domain].splits;
  return Object.hasOwn(splits, split) ? splits[split] : undefined;
}

/** Fill in what was left out and refuse what cannot be drawn. */
export function checkSpec(given: { domain: string } & Partial<Record<keyof ScenesSpec, string | number>>): ScenesSpec {
  const { domain } = given;
  if (!isDomain(domain)) {
    throw new UserError(`scenes: unknown domain "${domain}"`, { hint: `known: ${Object.keys(domains).join(", ")}` });
  }
  const known = Object.keys(domains[domain].splits);
  const split = String(given.split ?? known.at(-1));
  if (labelling(domain, split) === undefined) {
    throw new UserError(`scenes: ${domain} has no split "${split}"`, { hint: `it has: ${known.join(", ")}` });
  }
  return {
    domain,
    split: split as Split,
    count: whole("count", given.count),
    seed: whole("seed", given.seed),
    height: whole("height", given.height),
    width: whole("width", given.width),
  };
}

function whole(key: keyof typeof defaults, given: string | number = defaults[key]): number {
  const value = typeof given === "number" || /^\d+$/.test(given) ? Number(given) : Number.NaN;
  const [low, high] = limits[key];
  if (!Number.isInteger(value) || value < low || value > high) {
    throw new UserError(`scenes: ${key} is "${given}", wanted a whole number from ${low} to ${high}`, {
      hint: `for example ${key}=${defaults[key]}`,
    });
  }
  return value;
}

/** "scenes:highland?split=test&count=200&seed=1", with or without its "scenes:". */
export function parseScenes(text: string): ScenesSpec {
  const [domain = "", query = ""] = text.replace(/^scenes:/, "").split("?");
  const options: Partial<Record<string, string>> = Object.fromEntries(new URLSearchParams(query));
  const allowed = ["split", ...Object.keys(defaults)];
  for (const key of Object.keys(options)) {
    if (!allowed.includes(key)) {
      throw new UserError(`scenes: unknown option "${key}" in "${text}"`, { hint: `known: ${allowed.join(", ")}` });
    }
  }
  return checkSpec({ ...options, domain });
}

/** The spec as one string; parsing it gives the spec back. */
export function formatScenes({ domain, split, count, seed, height, width }: ScenesSpec): string {
  return `scenes:${domain}?split=${split}&count=${count}&seed=${seed}&height=${height}&width=${width}`;
}
