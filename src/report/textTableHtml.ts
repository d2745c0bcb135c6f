import { nice } from "../html/subscripts.js";
import { escapeText } from "../platform/escape.js";
import type { TextTable } from "./textTable.js";

/** A table of text for a page, with its title above it where that is wanted. A wide one scrolls by itself, also with the keyboard. */
export function textTableHtml({ title, head, rows, notes }: TextTable, titled: boolean): string {
  const heads = head.map((name) => `<th scope="col">${nice(name)}</th>`).join("");
  const lines = rows.map(({ cells, faint }) => {
    const [first, ...others] = cells.map(cellHtml);
    const row = others.map((cell) => `<td>${cell}</td>`).join("");
    return `<tr${faint ? ' class="mean"' : ""}><th scope="row">${first}</th>${row}</tr>`;
  });
  const below = notes.length === 0 ? "" : `<p class="soft small">${notes.map(escapeText).join("<br>")}</p>`;
  return `${titled ? `<h3>${nice(title)}</h3>` : ""}<div class="scroll card" role="region" tabindex="0" aria-label="${escapeText(title)}"><table><thead><tr>${heads}</tr></thead><tbody>${lines.join("")}</tbody></table></div>${below}`;
}

function cellHtml(cell: TextTable["rows"][number]["cells"][number]): string {
  if (typeof cell === "string") return nice(cell);
  return cell.ink === "bold" ? `<strong>${nice(cell.text)}</strong>` : `<s>${nice(cell.text)}</s>`;
}
