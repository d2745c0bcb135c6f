import { specOf } from "./spec.js";

/** Options of specs that choose images, sizes or labels within a domain; any other tells domains apart. */
const withinDomain: ReadonlySet<string> = new Set([
  ...["split", "set", "every", "except", "limit", "count", "seed"],
  ...["height", "width", "unlabelled", "labels", "label-suffix", "classes"],
]);

/** Whether two specs are of one domain: the same reader, path and options, apart from those that choose within a domain. */
export function sameDomain(one: string, other: string): boolean {
  const [a, b] = [domainOf(one), domainOf(other)];
  return a !== null && a === b;
}

function domainOf(name: string): string | null {
  const spec = specOf(name);
  if (spec === null) return null;
  const options = [...spec.options].filter(([key]) => !withinDomain.has(key)).sort();
  return JSON.stringify([spec.reader, spec.path.replace(/(?<=.)\/+$/, ""), options]);
}
