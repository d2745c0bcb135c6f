import { escapeText } from "../platform/escape.js";
import { palette } from "./palette.js";
import { type Axis, type Plot, type Point, type Series, type Span, ticks } from "./plot.js";
import { dotted, frame } from "./reportData.js";

/** Past the last colour the same ones come again, dashed, and then dotted. */
const seriesClass = (index: number): string =>
  `s${index % palette.length}${["", " dashed"][Math.floor(index / palette.length)] ?? " dotted"}`;

/** The same of a series that may have a look of its own. */
const lookOf = ({ look }: Series, index: number): string =>
  look === undefined ? seriesClass(index) : `${seriesClass(look.colour)}${look.dotted ? " dotted" : ""}`;

/** Of a character of a stage's name, at most on average. */
const NAME_WIDTH = 6.5;

/** The part of a drawing inside its axes. */
export const inner = {
  width: frame.width - frame.left - frame.right,
  height: frame.height - frame.top - frame.bottom,
} as const;

/** A place on a drawing, in few characters. */
export const short = (value: number): string => String(Number(value.toFixed(2)));

/** Places on the drawing. */
export function scales({ x, y }: Pick<Plot, "x" | "y">): { x(value: number): number; y(value: number): number } {
  return {
    x: (value) => frame.left + ((value - x.from) / (x.to - x.from || 1)) * inner.width,
    y: (value) => frame.top + inner.height - ((value - y.from) / (y.to - y.from || 1)) * inner.height,
  };
}

/** A plot for the page, styled by the page; dots are moved by its script, which finds the axes in data attributes. */
export function plotInPage(plot: Plot): string {
  const { x, y } = plot;
  const moving = plot.name in dotted ? plot.series : [];
  const dots = moving
    .map((_, i) => `<circle class="dot ${seriesClass(i)}" data-method="${i}" r="5" cx="-20" cy="-20"/>`)
    .join("");
  const ends = [x.from, x.to, y.from, y.to].join(" ");
  const label = `${plot.title}: ${plot.meaning} Curves: ${plot.series.map((one) => one.label).join(", ")}.`;
  return `<svg class="plot" viewBox="0 0 ${frame.width} ${frame.height}" role="img" aria-label="${escapeText(label)}" data-plot="${escapeText(plot.name)}" data-axes="${ends}">${drawing(plot)}${dots}</svg>`;
}

/** The same as a file of its own: fixed colours, title and legend inside. */
export function plotFile(plot: Plot): string {
  const legend = plot.series
    .map((series, i) => {
      const y = frame.height + 14 + 16 * i;
      return `<path class="curve ${lookOf(series, i)}" d="M${frame.left} ${y - 4}h18"/><text x="${frame.left + 24}" y="${y}">${escapeText(series.label)}</text>`;
    })
    .join("");
  const height = frame.height + 10 + 16 * plot.series.length;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${frame.width}" height="${height + 20}" viewBox="0 -20 ${frame.width} ${height + 20}"><title>${escapeText(plot.title)}</title><style>${fileStyle}</style><rect y="-20" width="100%" height="100%" fill="#fff"/><text class="title" x="${frame.left}" y="-2">${escapeText(plot.title)}</text>${drawing(plot)}${legend}</svg>\n`;
}

/** How plots look in files of their own. */
export const fileStyle = [
  "text{font:12px system-ui,Helvetica,Arial,sans-serif;fill:#42464d}",
  ".title{font-size:14px;font-weight:600;fill:#1b1d21}",
  ".grid{stroke:#e6e6e3;stroke-width:1}",
  ".axis{stroke:#8d9096;stroke-width:1;fill:none}",
  ".curve{fill:none;stroke-width:2;stroke-linejoin:round}",
  ".chance{fill:none;stroke:#8d9096;stroke-dasharray:2 4}",
  ".stage{stroke:#8d9096;stroke-dasharray:4 3}",
  ".stage-name{font-size:10px;paint-order:stroke;stroke:#fff;stroke-width:3px}",
  ".curve.dashed{stroke-dasharray:6 3}",
  ".band{opacity:.22}",
  ".curve.dotted{stroke-dasharray:1 4}",
  ...palette.map((colour, i) => `.s${i}{stroke:${colour}}.band.s${i}{fill:${colour}}`),
].join("");

/** Grid, axes and their labels. */
export function axes({ x, y }: Pick<Plot, "x" | "y">): string {
  const at = scales({ x, y });
  const bottom = frame.top + inner.height;
  const middle = frame.top + inner.height / 2;
  const marked = x.names?.map((name, k) => ({ value: k, text: escapeText(name) }));
  const vertical = (marked ?? ticks(x).map((value) => ({ value, text: tickText(value, x) }))).map(
    ({ value, text }) =>
      `<path class="grid" d="M${short(at.x(value))} ${frame.top}V${bottom}"/><text class="tick" x="${short(at.x(value))}" y="${bottom + 15}" text-anchor="middle">${text}</text>`,
  );
  const horizontal = ticks(y).map(
    (value) =>
      `<path class="grid" d="M${frame.left} ${short(at.y(value))}h${inner.width}"/><text class="tick" x="${frame.left - 7}" y="${short(at.y(value) + 4)}" text-anchor="end">${tickText(value, y)}</text>`,
  );
  return [
    ...vertical,
    ...horizontal,
    `<path class="axis" d="M${frame.left} ${frame.top}V${bottom}h${inner.width}"/>`,
    `<text class="label" x="${frame.left + inner.width / 2}" y="${frame.height - 8}" text-anchor="middle">${escapeText(x.label)}</text>`,
    `<text class="label" transform="translate(11 ${middle}) rotate(-90)" text-anchor="middle">${escapeText(y.label)}</text>`,
  ].join("");
}

/**
 * Where the lines of stages stand, and where their names: right of the line, or left where there is no room, each in the highest row in
 * which no other name is in its way.
 */
function placedMarks(plot: Plot): { x: number; label: string; start: number; row: number }[] {
  const at = scales(plot);
  const rows: { from: number; to: number }[][] = [];
  return (plot.marks ?? []).map(({ x: value, label }) => {
    const [x, width] = [at.x(value), NAME_WIDTH * label.length];
    const start = x + 3 + width <= frame.width ? x + 3 : x - 3 - width;
    const place = { from: start - 3, to: start + width + 3 };
    const free = rows.findIndex((names) => names.every(({ from, to }) => to <= place.from || place.to <= from));
    const row = free < 0 ? rows.length : free;
    rows[row] = [...(rows[row] ?? []), place];
    return { x, label, start, row };
  });
}

function drawing(plot: Plot): string {
  const at = scales(plot);
  const bottom = frame.top + inner.height;
  const line = (points: readonly Point[]): string =>
    points.map(({ x, y }, k) => `${k === 0 ? "M" : "L"}${short(at.x(x))} ${short(at.y(y))}`).join("");
  const area = (band: readonly Span[]): string => {
    const above = band.map(({ x, high }) => ({ x, y: high }));
    const below = band.map(({ x, low }) => ({ x, y: low })).reverse();
    return band.length === 0 ? "" : `${line([...above, ...below])}Z`;
  };
  return [
    axes(plot),
    ...placedMarks(plot).map(({ x, label, start, row }) => {
      const side = start < x ? `x="${short(x - 3)}" text-anchor="end"` : `x="${short(start)}"`;
      const name = `<text class="stage-name" ${side} y="${frame.top + 9 + 11 * row}">${escapeText(label)}</text>`;
      return `<path class="stage" d="M${short(x)} ${frame.top}V${bottom}"/>${name}`;
    }),
    plot.chance === null ? "" : `<path class="chance" d="${line(plot.chance)}"/>`,
    ...plot.series.map((series, i) =>
      series.band ? `<path class="band ${lookOf(series, i)}" d="${area(series.band)}"/>` : "",
    ),
    ...plot.series.map((series, i) =>
      series.points.length === 0
        ? ""
        : `<path class="curve ${lookOf(series, i)}" data-method="${i}" d="${line(series.points)}"/>`,
    ),
  ].join("");
}

/** Large and tiny numbers in short: 40k, 2e-4, 5e29. */
function tickText(value: number, { from, to }: Axis): string {
  const size = Math.max(Math.abs(from), Math.abs(to));
  if (value !== 0 && size >= 1e8) return shortExponential(value);
  if (value !== 0 && size >= 10_000) return `${Number((value / 1000).toPrecision(4))}k`;
  if (value !== 0 && size < 0.01) return shortExponential(value);
  return String(value);
}

/** 1.5e-3 and 2e-3: as many digits as neighbouring ticks differ in, and no more. */
const shortExponential = (value: number): string => Number(value.toPrecision(4)).toExponential().replace("+", "");
