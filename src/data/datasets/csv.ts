import { UserError } from "../../platform/errors.js";
import { knownHint } from "../../platform/nearest.js";
import { printable } from "../../platform/printable.js";

export interface Table {
  readonly columns: readonly string[];
  /** Cells by column; a row knows its line for messages. */
  readonly rows: readonly (Partial<Record<string, string>> & { readonly line: string })[];
}

/**
 * A comma-separated table with a head line. Quoted cells may hold commas, quotes (doubled) and line breaks; a byte order mark
 * and empty lines are passed over. Refused when a wanted column is missing or a row has another number of cells.
 */
export function parseCsv(text: string, path: string, wanted: readonly string[]): Table {
  const records = readRecords(text.replace(/^\ufeff/, ""), path);
  const columns = (records.shift()?.cells ?? []).map((name) => name.trim().toLowerCase());
  for (const name of wanted) {
    if (!columns.includes(name)) {
      throw new UserError(`${printable(path)}: there is no column "${name}"`, {
        hint: knownHint(name, columns.map(printable)),
      });
    }
  }
  const rows = records.map(({ cells, line }) => {
    if (cells.length !== columns.length) {
      throw new UserError(
        `${printable(path)}: line ${line} has ${cells.length} cells, the head line has ${columns.length}`,
        {
          hint: 'put cells that hold a comma in "quotes"',
        },
      );
    }
    const row: Partial<Record<string, string>> & { line: string } = Object.assign(Object.create(null), {
      line: String(line),
    });
    columns.forEach((name, i) => {
      if (name !== "line") row[name] = cells[i]!.trim();
    });
    return row;
  });
  return { columns, rows };
}

function readRecords(text: string, path: string): { cells: string[]; line: number }[] {
  const records: { cells: string[]; line: number }[] = [];
  let cells: string[] = [];
  let cell = "";
  /** Whether the cell has only spaces so far: looking at all of it for each quote would take the square of its length. */
  let blank = true;
  let [line, start] = [1, 1];
  let quoted = false;
  const endRow = (): void => {
    cells.push(cell);
    if (cells.length > 1 || cells[0]!.trim() !== "") records.push({ cells, line: start });
    [cells, cell, blank, start] = [[], "", true, line + 1];
  };
  for (let i = 0; i < text.length; i++) {
    const character = text[i]!;
    if (quoted) {
      if (character === '"' && text[i + 1] === '"') cell += text[++i];
      else if (character === '"') [quoted, blank] = [false, cell.trim() === ""];
      else cell += character;
      if (character === "\n") line++;
    } else if (character === '"' && blank) {
      quoted = true;
      cell = "";
    } else if (character === ",") {
      cells.push(cell);
      [cell, blank] = ["", true];
    } else if (character === "\n") {
      endRow();
      line++;
    } else if (character !== "\r") {
      cell += character;
      blank &&= character.trim() === "";
    }
  }
  if (quoted) throw new UserError(`${printable(path)}: a quote in line ${start} is never closed`, { hint: "close it" });
  if (cell !== "" || cells.length > 0) endRow();
  return records;
}
