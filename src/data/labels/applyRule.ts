import { DataError } from "../images/dataError.js";
import type { LabelMap } from "../images/labelPng.js";
import type { RawPng } from "../images/png.js";
import type { LabelRule } from "./labelSpace.js";
import { hexColour } from "./labelTable.js";
import { recognise } from "./recognise.js";

/** Values are looked up in a table of this kind; NOT_LISTED is an error in the file. */
type Table = Int16Array;
const NOT_LISTED = -1;

/** How many values of a rule an error spells out. */
const SPELLED = 24;

const tables = new WeakMap<LabelRule, Table>();
const colourMaps = new WeakMap<LabelRule, ReadonlyMap<number, number>>();

/**
 * What each pixel means: its place in the class list, UNKNOWN_LABEL or VOID_LABEL.
 *
 * A palette is read by its indices under a rule of ids, and by its colours under a rule of colours. Alpha is not looked at.
 * The first value that the rule does not list is an error that names file, value and pixel.
 */
export function applyRule(png: RawPng, rule: LabelRule, file: string): LabelMap {
  const { width, height, colour } = png;
  const labels = new Uint8Array(width * height);
  const wrongKind = rule.kind === "ids" && (colour === "rgb" || colour === "rgba");
  const wrongDepth = rule.kind === "colours" && png.depth === 16;
  if (wrongKind || wrongDepth) throw kindError(png, rule, file);
  const at = colour === "rgb" || colour === "rgba" ? applyColours(png, rule, labels) : applyTable(png, rule, labels);
  if (at >= 0) throw valueError(png, rule, file, at);
  return { width, height, labels };
}

/** Grey levels and palette indices. Returns the first pixel that the rule does not list, or -1. */
function applyTable(png: RawPng, rule: LabelRule, labels: Uint8Array): number {
  const { values, channels } = png;
  const table = rule.kind === "ids" ? tableOf(rule) : tableThroughPalette(png, rule);
  let worst = 0;
  for (let i = 0; i < labels.length; i++) {
    const meaning = table[values[i * channels]!]!;
    worst |= meaning;
    labels[i] = meaning;
  }
  // Only NOT_LISTED is negative, so that one check at the end is enough.
  if (worst >= 0) return -1;
  for (let i = 0; ; i++) if (table[values[i * channels]!]! === NOT_LISTED) return i;
}

/** Colours. Neighbours are mostly alike, so that the last colour is looked up once for a whole run. */
function applyColours({ values, channels }: RawPng, rule: LabelRule, labels: Uint8Array): number {
  const meanings = coloursOf(rule);
  const spare = Math.floor((rule.strays?.share ?? 0) * labels.length);
  let last = -1;
  let meaning = NOT_LISTED;
  let strays = 0;
  let firstStray = -1;
  for (let i = 0, v = 0; i < labels.length; i++, v += channels) {
    const key = (values[v]! << 16) | (values[v + 1]! << 8) | values[v + 2]!;
    if (key !== last) {
      meaning = meanings.get(key) ?? NOT_LISTED;
      last = key;
    }
    if (meaning === NOT_LISTED) {
      if (firstStray < 0) firstStray = i;
      if (++strays > spare) return firstStray;
      labels[i] = rule.strays!.meaning;
    } else labels[i] = meaning;
  }
  return -1;
}

function tableOf(rule: LabelRule): Table {
  let table = tables.get(rule);
  if (table === undefined) {
    table = new Int16Array(65536).fill(NOT_LISTED);
    for (const [id, meaning] of Object.entries(rule.meaning)) table[Number(id)] = meaning;
    tables.set(rule, table);
  }
  return table;
}

/** Index to meaning by way of the palette's colour; a grey level is the colour with three such parts. */
function tableThroughPalette({ palette, colour }: RawPng, rule: LabelRule): Table {
  const meanings = coloursOf(rule);
  const table = new Int16Array(256).fill(NOT_LISTED);
  for (let i = 0; i < 256; i++) {
    const key =
      colour === "palette" ? (palette[3 * i]! << 16) | (palette[3 * i + 1]! << 8) | palette[3 * i + 2]! : i * 0x010101;
    if (colour !== "palette" || 3 * i < palette.length) table[i] = meanings.get(key) ?? NOT_LISTED;
  }
  return table;
}

function coloursOf(rule: LabelRule): ReadonlyMap<number, number> {
  let meanings = colourMaps.get(rule);
  if (meanings === undefined) {
    meanings = new Map(Object.entries(rule.meaning).map(([key, meaning]) => [Number.parseInt(key, 16), meaning]));
    colourMaps.set(rule, meanings);
  }
  return meanings;
}

/** The value at a pixel, as the rule spells values. */
function valueAt({ values, channels, colour, palette }: RawPng, pixel: number, kind: LabelRule["kind"]): string {
  const v = pixel * channels;
  if (kind === "ids") return String(values[v]);
  if (colour === "palette")
    return hexColour([palette[3 * values[v]!]!, palette[3 * values[v]! + 1]!, palette[3 * values[v]! + 2]!]);
  if (channels < 3) return hexColour([values[v]!, values[v]!, values[v]!]);
  return hexColour([values[v]!, values[v + 1]!, values[v + 2]!]);
}

function valueError(png: RawPng, rule: LabelRule, file: string, pixel: number): DataError {
  const [x, y] = [pixel % png.width, Math.floor(pixel / png.width)];
  const what = rule.kind === "ids" ? "id" : "colour";
  const better = recognise(png, rule);
  return new DataError(
    "label-value",
    file,
    `holds ${what} ${valueAt(png, pixel, rule.kind)} at (${x}, ${y}); ${allowed(rule)}${better === undefined ? "" : `. ${better.sentence}`}`,
    {
      fits: better?.space,
      hint: better?.hint ?? `correct the file, or list ${valueAt(png, pixel, rule.kind)} as a class, unknown or void`,
    },
  );
}

function kindError(png: RawPng, rule: LabelRule, file: string): DataError {
  const found = png.colour === "rgb" || png.colour === "rgba" ? "colours" : `${png.colour} values of ${png.depth} bits`;
  const better = recognise(png, rule);
  return new DataError(
    "label-kind",
    file,
    `holds ${found}, wanted ${rule.kind}. ${better?.sentence ?? "No label space of ours has these colours"}`,
    {
      fits: better?.space,
      hint: better?.hint ?? "say what the colours mean with the folder reader and a classes.json (docs/data.md)",
    },
  );
}

/** "ids 0 to 18 and 255 are listed" */
function allowed(rule: LabelRule): string {
  const values = Object.keys(rule.meaning);
  if (rule.kind === "colours") {
    return `listed are ${values.slice(0, SPELLED).join(", ")}${values.length > SPELLED ? ` and ${values.length - SPELLED} more` : ""}`;
  }
  const ids = values.map(Number).sort((a, b) => a - b);
  const spans: string[] = [];
  for (let i = 0; i < ids.length; ) {
    let j = i;
    while (j + 1 < ids.length && ids[j + 1] === ids[j]! + 1) j++;
    spans.push(j === i ? `${ids[i]}` : j === i + 1 ? `${ids[i]}, ${ids[j]}` : `${ids[i]} to ${ids[j]}`);
    i = j + 1;
  }
  return `listed are ${spans.slice(0, SPELLED).join(", ")}`;
}
