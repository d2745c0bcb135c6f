import { sameDomain } from "../../data/datasets/sameDomain.js";
import { changePercent, groupMean } from "../../metrics/paperTables.js";
import { UserError } from "../../platform/errors.js";
import { columnOf } from "../../report/tableColumns.js";
import { averagedFamily, tablePlaces } from "../../report/tablePlaces.js";
import type { TextTable } from "../../report/textTable.js";
import { datasetCalled, lastTarget, shortNames } from "./datasetNames.js";
import { byMethod, datasetsOf, groupedBy, type StudiedResult, studiedResults } from "./studiedResults.js";
import { type Homes, rowsCsv, type Study, type StudyOptions, signed, writeStudy } from "./study.js";

/** Which results are compared. */
export interface StudyShiftOptions extends StudyOptions, Homes {
  /** Data sets from the least shift to the most, by name or part of it; as they are found when left out. */
  readonly order?: readonly string[] | undefined;
}

/** What a method gains or loses from one data set to the next: 100·(to / from - 1) of each measure; null where one has none. */
export interface ShiftRow {
  readonly from: string;
  readonly to: string;
  /** A method, or the mean of those of a family. */
  readonly kind: "method" | "mean";
  readonly method: string;
  /** The runs that were measured; empty of a mean. */
  readonly fromRun: string;
  readonly toRun: string;
  readonly accuracy: number | null;
  readonly meanIou: number | null;
  readonly auroc: number | null;
  readonly aupr: number | null;
  readonly maxAmd: number | null;
  readonly maxF05: number | null;
  readonly atGamma: number | null;
  readonly auprOfficial500: number | null;
}

/** The measures, in the order of tables. Of all of them larger is better, so a negative change is a loss. */
const measures = ["accuracy", "meanIou", "auroc", "aupr", "maxAmd", "maxF05", "atGamma", "auprOfficial500"] as const;
type Measure = (typeof measures)[number];

const measured = ({ result }: StudiedResult, measure: Measure): number | null =>
  columnOf(measure).of(result)?.value ?? null;
const forEach = (of: (measure: Measure) => number | null): Pick<ShiftRow, Measure> =>
  Object.fromEntries(measures.map((measure) => [measure, of(measure)])) as Pick<ShiftRow, Measure>;

/**
 * How methods fare as the shift grows (Table 10): the change of each measure from one data set to the next, and the mean of each of
 * the paper's families.
 */
export async function studyShift(runs: readonly string[], options: StudyShiftOptions = {}): Promise<Study<ShiftRow>> {
  const results = await studiedResults(runs, options);
  const found = datasetsOf(results);
  const datasets = options.order?.map((name) => datasetCalled(name, found)) ?? found;
  if (datasets.length < 2) {
    throw new UserError(`${datasets.length} data set, ${datasets.join()}: nothing to compare it with`, {
      hint: "a shift is from one data set to the next: evaluate on several, or name more of them (--order)",
    });
  }
  if (options.order === undefined && datasets.length > 2) {
    options.onNote?.("data sets in the order they were found; --order sets it");
  }
  const methods = await methodsOn(datasets, results, options.homes);
  const names = shortNames(datasets);
  const steps = datasets.slice(1).map((to, k) => stepRows(datasets[k]!, to, k, methods));
  const rows = steps.flat();
  if (rows.length === 0) {
    throw new UserError(`no method has results on two data sets that follow each other`, {
      hint: `their order: ${datasets.join(", ")}; --order sets it`,
    });
  }
  const tables = steps.filter((step) => step.length > 0).map((step) => tableOf(step, names));
  const csv = rowsCsv(rows);
  return { rows, csv, tables, files: await writeStudy(runs, options, { "shift.csv": csv }) };
}

/** A method through all data sets. */
interface MethodOn {
  readonly method: string;
  readonly label: string;
  /** One for each data set; undefined where it was not measured. */
  readonly at: readonly (StudiedResult | undefined)[];
}

/** One for each method; one for each run of it where several may be meant. */
async function methodsOn(
  datasets: readonly string[],
  results: readonly StudiedResult[],
  homes: Homes["homes"] = new Map(),
): Promise<MethodOn[]> {
  const targets = new Map<string, string | null>();
  for (const folder of new Set(results.map((one) => one.folder)))
    targets.set(folder, homes.get(folder) ?? (await lastTarget(folder)));
  return byMethod(results).flatMap(([method, entries]) => {
    const joined = datasets.map((dataset) => resultOn(dataset, entries, targets));
    if (joined.every((one) => one !== "several")) return [{ method, label: method, at: joined }];
    return [...groupedBy(entries, ({ folder }) => folder).values()].map((own) => ({
      method,
      label: `${method} (${own[0]!.run})`,
      at: datasets.map((dataset) => own.find(({ result }) => result.dataset === dataset)),
    }));
  });
}

/** The one result on a data set; of several, that of the only run which was adapted to this domain (T-6). */
function resultOn(
  dataset: string,
  entries: readonly StudiedResult[],
  targets: ReadonlyMap<string, string | null>,
): StudiedResult | undefined | "several" {
  const here = entries.filter(({ result }) => result.dataset === dataset);
  if (here.length < 2) return here[0];
  const adapted = here.filter(({ folder }) => isHome(targets.get(folder) ?? "", dataset));
  return adapted.length === 1 ? adapted[0] : "several";
}

const isHome = (target: string, dataset: string): boolean => target === dataset || sameDomain(target, dataset);

/** From data set k to the next; the mean of a family comes after its last method. */
function stepRows(from: string, to: string, k: number, methods: readonly MethodOn[]): ShiftRow[] {
  const places = tablePlaces();
  const changed = methods.flatMap(({ method, label, at }) => {
    const [a, b] = [at[k], at[k + 1]];
    if (a === undefined || b === undefined) return [];
    const changes = forEach((measure) => changePercent(measured(a, measure), measured(b, measure)));
    const row: ShiftRow = { from, to, kind: "method", method: label, fromRun: a.run, toRun: b.run, ...changes };
    return [{ row, family: averagedFamily(places(method)) }];
  });
  return changed.flatMap(({ row, family }, i) => {
    const members = changed.filter((one) => one.family === family);
    if (family === null || members.length < 2 || changed[i + 1]?.family === family) return [row];
    // The mean of the changes, not the change of the means.
    const mean = forEach((measure) => groupMean(members.map((one) => one.row[measure])));
    return [row, { from, to, kind: "mean", method: `mean ${family}`, fromRun: "", toRun: "", ...mean }];
  });
}

function tableOf(rows: readonly ShiftRow[], names: ReadonlyMap<string, string>): TextTable {
  const { from, to } = rows[0]!;
  const shown = measures.filter((measure) => rows.some((row) => row[measure] !== null));
  return {
    title: `change in % from ${names.get(from)} to ${names.get(to)}`,
    head: ["method", ...shown.map((measure) => columnOf(measure).head)],
    rows: rows.map((row) => ({
      cells: [row.method, ...shown.map((measure) => (row[measure] === null ? "-" : signed(row[measure], 1)))],
      faint: row.kind === "mean",
    })),
    notes: [],
  };
}
