import { parseSpec, type Spec, specOf } from "./spec.js";

/** Options of specs that choose images, sizes or labels within a domain; any other tells domains apart. */
const withinDomain: ReadonlySet<string> = new Set([
  ...["split", "set", "every", "except", "limit", "count", "seed"],
  ...["height", "width", "unlabelled", "labels", "label-suffix", "classes"],
]);

/** Options of folders that opening finds out where they are left out: without them, they are those of the other. */
const foundOut = ["images", "image-suffix"];

/**
 * Whether a spec is of the domain of a data set, given by name: the same reader, path and options, apart from those that choose within a
 * domain.
 */
export function sameDomain(given: string, name: string): boolean {
  const [a, b] = [parseSpec(given), specOf(name)];
  if (b === null) return false;
  const open = foundOut.filter((key) => a.reader === "folder" && !(a.options.has(key) && b.options.has(key)));
  return domainOf(a, open) === domainOf(b, open);
}

function domainOf({ reader, path, options }: Spec, open: readonly string[]): string {
  const telling = [...options].filter(([key]) => !withinDomain.has(key) && !open.includes(key)).sort();
  return JSON.stringify([reader, path.replace(/(?<=.)\/+$/, ""), telling]);
}
