import type { ResultFile } from "../../evaluation/results/resultFile.js";
import { columns } from "../../report/tableColumns.js";
import {
  type PaperDomain,
  type PaperMeasure,
  type PaperNumber,
  type PaperSource,
  paperDomains,
  paperMethods,
  paperSources,
} from "./paperNumbers.js";

/** A number of the paper, and ours beside it; null where there is none. */
export interface PaperRow {
  /** Its table or section in the paper. */
  readonly place: string;
  /** Cityscapes or BDD. */
  readonly source: PaperSource;
  /** LDN, NF, SCOT, KITTI, BDD or WildDash. */
  readonly domain: PaperDomain;
  /** A method or an ablation, as the paper spells it. */
  readonly method: string;
  /** accuracy, auroc, aupr, maxAmd or maxF05. */
  readonly measure: PaperMeasure;
  readonly paper: number;
  /** p(a,c), of MaxA_MD and MaxF0.5. */
  readonly paperPac: number | null;
  /** The run and the data set that were measured; empty without runs. */
  readonly run: string;
  readonly dataset: string;
  /** Of AUPR it is `auprOfficial500`, as the authors' tester computes it. */
  readonly ours: number | null;
  readonly oursPac: number | null;
  /** Ours less the paper's. */
  readonly difference: number | null;
  readonly differencePac: number | null;
}

/** The rows of one result: a method of a run on a data set. */
export type PaperModel = readonly [PaperRow, ...PaperRow[]];

/** A number of the paper, and the result that it is compared with. */
export function paperRow(
  { place, source, domain, method, measure, value, pac }: PaperNumber,
  measured: { readonly run: string; readonly result: ResultFile } | null,
): PaperRow {
  const key = measure === "aupr" ? "auprOfficial500" : measure;
  const ours = measured && columns.find((column) => column.key === key)!.of(measured.result);
  return {
    ...{ place, source, domain, method, measure },
    paper: value,
    paperPac: pac,
    run: measured?.run ?? "",
    dataset: measured?.result.dataset ?? "",
    ours: ours?.value ?? null,
    oursPac: ours?.pac ?? null,
    difference: less(ours?.value ?? null, value),
    differencePac: less(ours?.pac ?? null, pac),
  };
}

const less = (ours: number | null, paper: number | null): number | null =>
  ours === null || paper === null ? null : ours - paper;

/** Models in the order of the paper: by source, domain, data set and method; those that are alike in the order they came. */
export function inPaperOrder(models: readonly PaperModel[]): PaperModel[] {
  const datasets = models.map(([{ dataset }]) => dataset);
  const placesOf = ([{ source, domain, dataset, method }]: PaperModel): number[] => [
    paperSources.indexOf(source),
    paperDomains.indexOf(domain),
    datasets.indexOf(dataset),
    paperMethods.indexOf(method),
  ];
  return models.toSorted((a, b) => {
    const [first, second] = [placesOf(a), placesOf(b)];
    return first.map((place, k) => place - second[k]!).find((difference) => difference !== 0) ?? 0;
  });
}
