import { RESAVE } from "./pickle.js";
import type { Pickled } from "./pickleMachine.js";
import { quoted, type Refuse } from "./refusal.js";
import { StridedTensor } from "./storage.js";

/** Where training scripts keep the weights among other things, the likeliest first. */
const usualPlaces = ["state_dict", "model_state_dict", "model", "network", "net", "weights"];
const MAX_DEPTH = 4;
const MAX_TENSORS = 10_000;

export interface StateDict {
  /** Keys on the way to it, e.g. `["state_dict"]`; empty where the file is nothing but weights. */
  readonly place: readonly string[];
  readonly entries: ReadonlyMap<string, StridedTensor>;
}

/** The dictionary of tensors in a checkpoint, whatever it is wrapped in. Optimiser state and counters beside it are left alone. */
export function findStateDict(root: Pickled, refuse: Refuse): StateDict {
  const found = dictionaries(root, []);
  const at = (place: readonly string[]) => found.find((one) => one.place.join("\0") === place.join("\0"));
  const chosen = usualPlaces.map((key) => at([key])).find((one) => one !== undefined) ?? at([]);
  const only = found.filter(({ place }) => !place[0]?.startsWith("optim"));
  const answer = chosen ?? (only.length === 1 ? only[0]! : undefined);
  if (answer === undefined) {
    const places = only.map(({ place, entries }) => `${quoted(place.join("."))} (${entries.size})`).slice(0, 8);
    return refuse(places.length === 0 ? "holds no tensors by name" : `holds several: ${places.join(", ")}`, RESAVE);
  }
  if (answer.entries.size > MAX_TENSORS) {
    refuse(`holds ${answer.entries.size} tensors, at most ${MAX_TENSORS} are read`);
  }
  return answer;
}

/** Every dictionary that holds tensors, not deeper than any script nests them. */
function dictionaries(value: Pickled, place: readonly string[], seen = new Set<Pickled>()): StateDict[] {
  if (!(value instanceof Map) || place.length > MAX_DEPTH || seen.has(value)) return [];
  seen.add(value);
  const named = [...(value as Map<Pickled, Pickled>)].flatMap(([key, inner]) =>
    typeof key === "string" ? [[key, inner] as const] : [],
  );
  const entries = new Map(
    named.flatMap(([name, inner]) => (inner instanceof StridedTensor ? [[name, inner] as const] : [])),
  );
  const own = entries.size === 0 ? [] : [{ place, entries }];
  return [...own, ...named.flatMap(([key, inner]) => dictionaries(inner, [...place, key], seen))];
}
