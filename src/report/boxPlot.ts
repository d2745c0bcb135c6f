import type { Box } from "../metrics/boxOf.js";
import { escapeText } from "../platform/escape.js";
import { palette } from "./palette.js";
import { around } from "./plot.js";
import { axes, fileStyle, inner, scales, short } from "./plotSvg.js";
import { frame } from "./reportData.js";

/** Boxes in panels beside each other, which share both axes. */
export interface BoxPlot {
  readonly title: string;
  readonly subtitle: string;
  readonly x: { readonly label: string; readonly names: readonly string[] };
  readonly y: { readonly label: string };
  readonly panels: readonly BoxPanel[];
  /** What boxes, single values and lines are. */
  readonly legend: { readonly box: string; readonly single: string; readonly line: string };
}

export interface BoxPanel {
  readonly label: string;
  /** One at each name: a box, a value that does not vary, or nothing. */
  readonly at: readonly (Box | number | null)[];
  /** What the boxes are compared with. */
  readonly line: number;
}

/** Panels in a row. */
const COLUMNS = 3;
const TITLE = 48;
const CAPTION = 20;

/** The plot as an SVG file. */
export function boxPlotFile({ title, subtitle, x, y, panels, legend }: BoxPlot): string {
  const values = panels.flatMap(({ at, line }) => [line, ...at.flatMap(extremes)]);
  const area = {
    x: { ...x, from: -0.6, to: x.names.length - 0.4 },
    y: { ...y, ...around(values) },
  };
  const columns = Math.min(COLUMNS, panels.length);
  const rows = Math.ceil(panels.length / columns);
  const panelHeight = frame.height + CAPTION;
  const drawn = panels.map((panel, i) => {
    const [left, top] = [(i % columns) * frame.width, TITLE + Math.floor(i / columns) * panelHeight];
    return `<g transform="translate(${left} ${top})"><text class="panel" x="${frame.left}" y="14">${escapeText(panel.label)}</text><g transform="translate(0 ${CAPTION})">${drawPanel(panel, area)}</g></g>`;
  });
  const single = panels.some(({ at }) => at.some((one) => typeof one === "number"));
  const keys = [
    [`<path class="box" d="M0 -9h18v10h-18z"/><path class="median" d="M0 -4h18"/>`, legend.box],
    ...(single ? [[`<path class="single" d="${diamond(9, -4)}"/>`, legend.single]] : []),
    [`<path class="line" d="M0 -4h18"/>`, legend.line],
  ];
  const below = TITLE + rows * panelHeight;
  const lines = keys.map(
    ([mark, text], k) =>
      `<g transform="translate(${frame.left} ${below + 16 + 18 * k})">${mark}<text x="26">${escapeText(text!)}</text></g>`,
  );
  // Text has no width before it is drawn: about 9 a letter in the title, 7 elsewhere.
  const ends = [9 * title.length, 7 * subtitle.length, ...keys.map(([, text]) => 26 + 7 * text!.length)];
  const width = Math.max(columns * frame.width, ...ends.map((end) => frame.left + end));
  const height = below + 12 + 18 * keys.length;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><title>${escapeText(`${title}, ${subtitle}`)}</title><style>${fileStyle}${boxStyle}</style><rect width="100%" height="100%" fill="#fff"/><text class="title" x="${frame.left}" y="20">${escapeText(title)}</text><text x="${frame.left}" y="38">${escapeText(subtitle)}</text>${drawn.join("")}${lines.join("")}</svg>\n`;
}

const boxStyle = [
  ".panel{font-weight:600;fill:#1b1d21}",
  `.box{fill:${palette[0]};fill-opacity:.18;stroke:${palette[0]};stroke-width:1.2}`,
  `.median{stroke:${palette[0]};stroke-width:2.4}`,
  `.whisker{stroke:${palette[0]};stroke-width:1.2;fill:none}`,
  `.outlier{fill:none;stroke:${palette[0]};stroke-width:.8;stroke-opacity:.7}`,
  `.single{fill:${palette[1]}}`,
  ".line{stroke:#1b1d21;stroke-width:1.2;stroke-dasharray:6 4}",
].join("");

const extremes = (one: Box | number | null): number[] => {
  if (one === null) return [];
  return typeof one === "number" ? [one] : [one.low, one.high, ...one.outliers];
};

function drawPanel({ at, line }: BoxPanel, area: Parameters<typeof axes>[0]): string {
  const place = scales(area);
  const half = Math.min(14, (0.35 * inner.width) / at.length);
  const shapes = at.map((one, k) => {
    const x = place.x(k);
    if (one === null) return "";
    if (typeof one === "number") return `<path class="single" d="${diamond(x, place.y(one))}"/>`;
    const [low, lower, median, upper, high] = [one.low, one.lowerQuartile, one.median, one.upperQuartile, one.high].map(
      (value) => short(place.y(value)),
    ) as [string, string, string, string, string];
    const [left, right] = [short(x - half), short(x + half)];
    const cap = (y: string): string => `M${short(x - half / 2)} ${y}h${short(half)}`;
    return [
      `<path class="whisker" d="M${short(x)} ${low}V${lower}M${short(x)} ${upper}V${high}${cap(low)}${cap(high)}"/>`,
      `<path class="box" d="M${left} ${lower}V${upper}H${right}V${lower}Z"/>`,
      `<path class="median" d="M${left} ${median}H${right}"/>`,
      ...one.outliers.map(
        (value) => `<circle class="outlier" cx="${short(x)}" cy="${short(place.y(value))}" r="1.8"/>`,
      ),
    ].join("");
  });
  const level = `<path class="line" d="M${frame.left} ${short(place.y(line))}h${inner.width}"/>`;
  return `${axes(area)}${level}${shapes.join("")}`;
}

const diamond = (x: number, y: number): string => `M${short(x)} ${short(y - 5)}l5 5l-5 5l-5 -5z`;
