import { join } from "node:path";
import { type CsvCell, csv } from "../../evaluation/results/csv.js";
import { writeAtomically } from "../../platform/atomicFile.js";
import { makeFolder } from "../../platform/files.js";
import type { TextTable } from "../../report/textTable.js";

/** A study of finished results: numbers for programs, tables for people, and the files that were written. */
export interface Study<Row> {
  readonly rows: readonly Row[];
  /** The rows as comma-separated values; also in the first of the files. */
  readonly csv: string;
  /** What `studyText` prints. */
  readonly tables: readonly TextTable[];
  readonly files: readonly string[];
}

/** What every study can be told. */
export interface StudyOptions {
  /** Methods to look at; all that have results when left out. */
  readonly methods?: readonly string[] | undefined;
  /** The folder to write to; `studies` in the first run folder when left out. */
  readonly to?: string | undefined;
  readonly onNote?: ((message: string) => void) | undefined;
}

/** Where runs are at home, for who knows it: specs of folders do not tell that two of them are of one place. */
export interface Homes {
  /** By run folder, the data set of the domain that it was adapted to. */
  readonly homes?: ReadonlyMap<string, string> | undefined;
}

/** Rows as comma-separated values, one column for each of their fields. */
export const rowsCsv = <Row extends Readonly<Record<keyof Row, CsvCell>>>(rows: readonly Row[]): string =>
  csv([Object.keys(rows[0] ?? {}), ...rows.map((row) => Object.values<CsvCell>(row))]);

/** Write files into the folder of a study, by name; returns their paths. */
export async function writeStudy(
  runs: readonly string[],
  { to = join(runs[0]!, "studies") }: Pick<StudyOptions, "to">,
  files: Readonly<Record<string, string>>,
): Promise<string[]> {
  await makeFolder(to);
  const paths: string[] = [];
  for (const [name, content] of Object.entries(files)) {
    const path = join(to, name);
    await writeAtomically(path, content);
    paths.push(path);
  }
  return paths;
}

/** A change with its sign; what prints as zero has none. */
export function signed(change: number, digits: number): string {
  const text = Math.abs(change).toFixed(digits);
  return Number(text) === 0 ? text : `${change < 0 ? "-" : "+"}${text}`;
}
