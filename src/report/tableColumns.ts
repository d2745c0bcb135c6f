import type { ResultFile } from "../evaluation/results/resultFile.js";

/** A number of the table: a value, for some with its p(a,c). */
interface Measure {
  readonly value: number;
  readonly pac: number | null;
}

/** What stands above a column. */
export interface ColumnHead {
  readonly key: string;
  readonly head: string;
  /** In words, for tooltips and screen readers. */
  readonly meaning: string;
  readonly better: "higher" | "lower";
}

/** A measure of a result. */
export interface Column extends ColumnHead {
  /** Struck through where its p(a,c) prints as 0.000 (E-7). */
  readonly discounts?: true;
  of(result: ResultFile): Measure | null;
}

const alone = (value: number | null | undefined): Measure | null =>
  typeof value === "number" ? { value, pac: null } : null;

/** What tables of results show. */
export const columns: readonly Column[] = [
  {
    key: "accuracy",
    head: "accuracy",
    meaning: "share of scored pixels that are right",
    better: "higher",
    of: (r) => alone(r.accuracy),
  },
  {
    key: "meanIou",
    head: "mIoU",
    meaning: "overlap of predicted and true classes, averaged over classes",
    better: "higher",
    of: (r) => alone(r.segmentation?.meanIou),
  },
  {
    key: "auroc",
    head: "AUROC",
    meaning: "chance that a wrong pixel is less certain than a right one",
    better: "higher",
    of: (r) => alone(r.auroc),
  },
  {
    key: "aupr",
    head: "AUPR",
    meaning: "average precision of calling pixels right; chance level is the accuracy",
    better: "higher",
    of: (r) => alone(r.aupr),
  },
  {
    key: "maxAmd",
    head: "MaxA_MD",
    meaning: "best share of pixels for which certain and right agree, and the share of pixels that are both",
    better: "higher",
    discounts: true,
    of: (r) => r.maxAmd,
  },
  {
    key: "maxF05",
    head: "MaxF0.5",
    meaning: "best F0.5 of certain pixels, and the share of pixels that are certain and right",
    better: "higher",
    of: (r) => r.maxF05,
  },
  {
    key: "atGamma",
    head: "A_MD at γ",
    meaning: "A_MD at the method's own threshold, chosen without labels, with p(a,c)",
    better: "higher",
    discounts: true,
    of: (r) => (r.atGamma === null ? null : { value: r.atGamma.amd, pac: r.atGamma.pac }),
  },
  {
    key: "fpr95",
    head: "FPR@95",
    meaning: "share of wrong pixels still certain where 95 % of the right ones are",
    better: "lower",
    of: (r) => alone(r.fpr95),
  },
  {
    key: "aurc",
    head: "AURC",
    meaning: "error rate among pixels at most as uncertain, averaged",
    better: "lower",
    of: (r) => alone(r.aurc),
  },
  {
    key: "ece",
    head: "ECE",
    meaning: "how far confidence and accuracy are apart",
    better: "lower",
    of: (r) => alone(r.ece),
  },
  {
    key: "brier",
    head: "Brier",
    meaning: "squared distance between confidence and whether the pixel is right",
    better: "lower",
    of: (r) => alone(r.brier),
  },
  {
    key: "auprOfficial500",
    head: "AUPR-500",
    meaning: "AUPR as the authors' tester computes it, at 500 thresholds: for comparison with the paper's tables",
    better: "higher",
    of: (r) => alone(r.auprOfficial500),
  },
];

/** The column of a measure, by its key. */
export const columnOf = (key: string): Column => columns.find((column) => column.key === key)!;

/** Columns that a narrow table leaves out, from the first on; files and the report have all of them. */
export const lessImportant: readonly string[] = [
  "auprOfficial500",
  "brier",
  "ece",
  "aurc",
  "fpr95",
  "meanIou",
  "maxF05",
];
