import { readFileSync } from "node:fs";

/** Labelled data that the paper trains on. */
export const paperSources = ["Cityscapes", "BDD"] as const;
export type PaperSource = (typeof paperSources)[number];

/** Data that the paper measures on: SAX London, New Forest and Scotland, and three public data sets. */
export const paperDomains = ["LDN", "NF", "SCOT", "KITTI", "BDD", "WildDash"] as const;
export type PaperDomain = (typeof paperDomains)[number];

/** What the paper measures, by the names of our results. */
export const paperMeasures = ["accuracy", "auroc", "aupr", "maxAmd", "maxF05"] as const;
export type PaperMeasure = (typeof paperMeasures)[number];

/** A number that the paper prints. */
export interface PaperNumber {
  /** Its table or section. */
  readonly place: string;
  readonly source: PaperSource;
  readonly domain: PaperDomain;
  /** As the paper spells it. */
  readonly method: string;
  readonly measure: PaperMeasure;
  readonly value: number;
  /** p(a,c), of MaxA_MD and MaxF0.5. */
  readonly pac: number | null;
}

/** The one group mean of the paper that is not the mean of its rows (Z-17). */
export const misprintedMean = {
  place: "Table 4",
  family: "epistemic",
  domain: "KITTI",
  printed: 0.795,
  recomputed: 0.82,
} as const;

/**
 * `assets/paper.tsv`: the paper's tables as they are printed, misprints included, and the numbers of its text. Table 13 repeats γ-SSL and
 * γ-SSL_iL of Tables 2 to 5, which are here once. In section VIII, "a network trained solely on Cityscapes" is the one that Softmax
 * looks through, and γ-SSL_iL on WildDash is the model that was adapted to London, then to Scotland.
 */
const [[, , , , ...domains] = [], ...printed] = readFileSync(
  new URL("../../../assets/paper.tsv", import.meta.url),
  "utf8",
)
  .trim()
  .split("\n")
  .map((line) => line.split("\t"));

/** Every number of the paper, table by table, each row from left to right; group means follow from their rows. */
export const paperNumbers: readonly PaperNumber[] = printed.flatMap(([place, source, measure, method, ...cells]) =>
  cells.flatMap((cell, k) => {
    if (cell === "-" || method!.startsWith("mean ")) return [];
    const [value, pac = null] = cell.split("@").map(Number);
    return [{ place, source, measure, method, domain: domains[k], value, pac } as PaperNumber];
  }),
);

/** The paper's methods and ablations, in its order. */
export const paperMethods: readonly string[] = [...new Set(paperNumbers.map(({ method }) => method))];
