/**
 * The baselines in the order of the paper's tables, and how we and others spell them. The paper prints a mean below each group.
 * Names are compared without capitals, dashes, dots and underscores.
 */
export const paperGroups = [
  {
    name: "epistemic",
    methods: [
      ["Ens-PE_5", "ensemble-pe-5"],
      ["Ens-MI_5", "ensemble-mi-5"],
      ["Ens-PE_10", "ensemble-pe-10"],
      ["Ens-MI_10", "ensemble-mi-10"],
      ["MCD-PE_0.2", "MCD-PE", "mc-dropout-pe", "mc-dropout"],
      ["MCD-MI_0.2", "MCD-MI", "mc-dropout-mi"],
      ["MCD-DSL"],
    ],
  },
  {
    name: "representation",
    methods: [
      ["Softmax", "max-softmax", "msp"],
      ["Softmax_A", "odin"],
      ["FeatDist", "mahalanobis"],
      ["FeatDist_A", "mahalanobis-a"],
      ["ViM"],
      ["DUM", "ddu"],
    ],
  },
] as const;

/** Ours, in the order of the paper's tables. They stand last. */
const ours = [["NoSSL", "no-ssl"], ["γ-SSL"], ["γ-SSL_iL"]] as const;

const plain = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll("γ", "gamma")
    .replace(/[^\p{L}\p{N}]/gu, "");

const places = new Map<string, { readonly group: number; readonly place: number }>(
  paperGroups.flatMap(({ methods }, group) =>
    methods.flatMap((names, place) => names.map((name) => [plain(name), { group, place }] as const)),
  ),
);
const oursPlaces = new Map(ours.flatMap((names, place) => names.map((name) => [plain(name), place] as const)));

/** Where the paper's tables have a baseline: its group and its place in it. Undefined for others, and for γ-SSL itself. */
export const paperPlace = (method: string): { readonly group: number; readonly place: number } | undefined =>
  places.get(plain(method));

/** A number to sort methods by: the paper's baselines, then those it does not have, then ours. */
export function tableOrder(method: string): number {
  const baseline = paperPlace(method);
  if (baseline !== undefined) return 100 * baseline.group + baseline.place;
  return 100 * paperGroups.length + (oursPlaces.has(plain(method)) ? 1 + oursPlaces.get(plain(method))! : 0);
}
