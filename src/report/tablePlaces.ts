import type { Family, Method } from "../methods/parts/method.js";
import { methods } from "../methods/registry.js";

/** Where tables have a method. */
export interface TablePlace {
  readonly family: Family;
  /** In the list of all methods. */
  readonly index: number;
}

/** The places of methods by name. Undefined for a name that no method has. */
export type TablePlaces = (name: string) => TablePlace | undefined;

/** A row of the paper's tables that no run here has; results of others may. */
const PAPER_ONLY = { name: "gamma-ssl-il", title: "γ-SSL_iL", family: "ours" } as const;

/** Methods by name, title and alias. Names are compared without capitals, dashes, dots and underscores. */
export function tablePlaces(among: readonly Method[] = methods): TablePlaces {
  const rows: readonly Pick<Method, "name" | "title" | "aliases" | "family">[] = [...among, PAPER_ONLY];
  const places = new Map(
    rows.flatMap(({ name, title, aliases = [], family }, index) =>
      [name, title, ...aliases].map((spelling) => [plain(spelling), { family, index }] as const),
    ),
  );
  return (name) => places.get(plain(name));
}

const plain = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll("γ", "gamma")
    .replace(/[^\p{L}\p{N}]/gu, "");

/** Families from the top of a table to its end. */
const families: readonly Family[] = ["epistemic", "representation", "further", "ours"];

/** To sort rows by: the paper's baselines in its order, then all others as they come, then ours. */
export function compareRows(a: TablePlace | undefined, b: TablePlace | undefined): number {
  const [first, second] = [a, b].map((place) => families.indexOf(place?.family ?? "further")) as [number, number];
  if (first !== second) return first - second;
  return families[first] === "further" ? 0 : a!.index - b!.index;
}

/** The family whose mean the paper prints below its rows, of a method that belongs to one. */
export function averagedFamily(place: TablePlace | undefined): Family | null {
  return place?.family === "epistemic" || place?.family === "representation" ? place.family : null;
}
