export type CsvCell = string | number | null;

/**
 * Comma-separated rows. Null is an empty cell. Text that a spreadsheet would take for a formula (it starts with = + - @, a tab
 * or a line end) is quoted and gets an apostrophe in front, which spreadsheets do not show; numbers are left alone.
 */
export function csv(rows: readonly (readonly CsvCell[])[]): string {
  return rows.map((row) => `${row.map(cell).join(",")}\n`).join("");
}

function cell(value: CsvCell): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const text = /^[=+\-@\t\r\n]/.test(value) ? `'${value}` : value;
  return text !== value || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
