import { paper, profileViews } from "../../methods/gamma-ssl/options.js";
import { UserError } from "../../platform/errors.js";
import { knownHint } from "../../platform/nearest.js";
import type { TextTable } from "../../report/textTable.js";
import { beginsElsewhere, type TrainConfig } from "../../runs/config.js";
import { departures } from "../../runs/departures.js";
import { totalSteps } from "../../runs/extended.js";
import { configOf, groupedBy, type StudiedResult, studiedResults } from "../studies/studiedResults.js";
import { rowsCsv, type Study, type StudyOptions, writeStudy } from "../studies/study.js";
import { comparedTables } from "./comparedTables.js";
import { paperMeasures, paperMethods, paperNumbers } from "./paperNumbers.js";
import { paperHas, paperMethodOf, paperOf } from "./paperOf.js";
import { inPaperOrder, type PaperModel, type PaperRow, paperRow } from "./paperRow.js";
import { printedTables } from "./printedTables.js";

/**
 * The paper's numbers beside ours: of runs with its sources, measured on its domains, its methods and ablations (Tables 2 to 9, 13 and 14,
 * and its text). Without runs it is the paper's numbers alone, and nothing is written unless `to` says where.
 */
export async function studyPaper(runs: readonly string[] = [], options: StudyOptions = {}): Promise<Study<PaperRow>> {
  const { rows, tables } = runs.length === 0 ? paperAlone(options) : await besideOurs(runs, options);
  const csv = rowsCsv(rows);
  const writes = runs.length > 0 || options.to !== undefined;
  return { rows, csv, tables, files: writes ? await writeStudy(runs, options, { "paper.csv": csv }) : [] };
}

function paperAlone({ methods }: StudyOptions): Pick<Study<PaperRow>, "rows" | "tables"> {
  const asked = methods?.map((name) => {
    const found = paperMethodOf(name);
    if (found !== undefined) return found;
    throw new UserError(`the paper has no numbers of "${name}"`, {
      hint: knownHint(name, paperMethods),
      code: "unknown-name",
    });
  });
  const numbers = paperNumbers.filter(({ method }) => asked === undefined || asked.includes(method));
  return { rows: numbers.map((number) => paperRow(number, null)), tables: printedTables(numbers) };
}

/** A result, the config of its run (null where it is of no training), and what the paper has beside it. */
interface ComparedResult extends StudiedResult {
  readonly config: TrainConfig | null;
  readonly rows: readonly PaperRow[];
}

/** The tables of `studyPaper`, for people who look at results for another reason: none where the paper has no number of them. */
export async function tablesBesidePaper(runs: readonly string[]): Promise<readonly TextTable[]> {
  const results = await comparedResults(runs, {}).catch((error: unknown) => {
    // Runs without results or labels are reported elsewhere.
    if (error instanceof UserError) return [];
    throw error;
  });
  return results.some(({ rows }) => rows.length > 0) ? compared(results).tables : [];
}

async function besideOurs(
  runs: readonly string[],
  options: StudyOptions,
): Promise<Pick<Study<PaperRow>, "rows" | "tables">> {
  const results = await comparedResults(runs, options);
  const left = results.filter(({ rows }) => rows.length === 0);
  if (left.length === results.length) {
    throw new UserError(`the paper has no numbers of ${named(left)}`, { hint: paperHas });
  }
  if (left.length > 0) options.onNote?.(`left out: ${named(left)}; ${paperHas}`);
  return compared(results);
}

async function comparedResults(runs: readonly string[], options: StudyOptions): Promise<ComparedResult[]> {
  const results: ComparedResult[] = [];
  for (const [folder, ofRun] of groupedBy(await studiedResults(runs, options), (one) => one.folder)) {
    const config = await configOf(folder);
    results.push(...ofRun.map((one) => ({ ...one, config, rows: rowsOf(one, config) })));
  }
  return results;
}

function compared(results: readonly ComparedResult[]): Pick<Study<PaperRow>, "rows" | "tables"> {
  const models = inPaperOrder(results.map(({ rows }) => rows).filter(isModel));
  const notes = notesOf(results.filter(({ rows }) => isModel(rows)));
  return { rows: models.flat(), tables: comparedTables(models, notes) };
}

const isModel = (rows: readonly PaperRow[]): rows is PaperModel => rows.length > 0;

/** One for each number of the paper, measures in the order of tables. */
function rowsOf(one: StudiedResult, config: TrainConfig | null): PaperRow[] {
  const numbers = paperOf(one.result, config);
  const ordered = paperMeasures.flatMap((measure) => numbers.filter((number) => number.measure === measure));
  return ordered.map((number) => paperRow(number, one));
}

/** Results in words: the first three, and how many more there are. */
function named(results: readonly ComparedResult[]): string {
  const texts = results
    .slice(0, 3)
    .map(
      ({ run, config, result }) =>
        `${result.method} on ${result.dataset} (${run}, source ${config?.source ?? "unknown"})`,
    );
  const more = results.length - texts.length;
  return texts.join(", ") + (more > 0 ? ` and ${more} more` : "");
}

/** What a reader must know to compare the two. */
function notesOf(results: readonly ComparedResult[]): string[] {
  const runs = new Map(results.map(({ folder, run, config }) => [folder, `${run}: ${settingsText(config!)}`]));
  const policies = [...new Set(results.map(({ result }) => result.policy.name))].filter((name) => name !== "paper");
  return [
    "diff: ours less the paper's; AUPR: ours at 500 thresholds, as the authors' tester computes it",
    ...runs.values(),
    ...policies.map((name) => `some results are of policy ${name}, not paper: they score other pixels`),
  ];
}

/** How a run was trained, for a note below its numbers. Where the profile `paper` has another number, that is in brackets. */
function settingsText(config: TrainConfig): string {
  const { pretraining, adaptation } = paper.training;
  const papers = pretraining + (config.method === "gamma-ssl" ? adaptation * config.targets.length : 0);
  const texts = [
    ...(config.method === "gamma-ssl" ? profileTexts(config) : ["supervised"]),
    `images ${beside(config.view.height, profileViews.paper.height)} pixels high`,
    `${beside(totalSteps(config), papers)} steps`,
  ];
  return [...texts, ...(beginsElsewhere(config) ? ["no first stage of its own"] : [])].join(", ");
}

function profileTexts(config: Extract<TrainConfig, { method: "gamma-ssl" }>): string[] {
  const changed = departures(config).length;
  const groups = changed === 1 ? "1 group" : `${changed} groups`;
  const differs = changed === 0 ? [] : [`settings differ from the paper's in ${groups} (gssl train prints them)`];
  return [`profile ${config.profile}`, ...differs];
}

const beside = (own: number, papers: number): string => (own === papers ? `${own}` : `${own} (${papers})`);
