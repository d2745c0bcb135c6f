import { printable } from "../../platform/printable.js";
import type { BaselineInfo, ModelInfo } from "../model/modelInfo.js";
import type { Parity } from "./parity.js";

/** A file that was written. */
export interface WrittenModel {
  /** Its name, without a folder. */
  readonly name: string;
  readonly precision: ModelInfo["precision"];
  readonly bytes: number;
  readonly nodes: number;
  /** How it differs from what `gssl evaluate` computes. */
  readonly parity: Parity;
}

export const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
/** Text from files, as a cell of a table. */
export const cell = (text: string): string => printable(text).replaceAll("|", "\\|");

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)];
}

/** Sections of a page, each as its lines. */
export const page = (sections: readonly (readonly string[])[]): string =>
  `${sections.map((lines) => lines.join("\n")).join("\n\n")}\n`;

/** What goes in and out: every model takes the same and answers a class; `more` are its other outputs. */
export function signatureTable(more: readonly (readonly [name: string, type: string, meaning: string])[]): string[] {
  return table(
    ["", "name", "type", "meaning"],
    [
      ["in", "`image`", "uint8 [1, height, width, 3]", "red, green, blue; any height and width from 16 to 8192"],
      ["out", "`class`", "uint8 [1, height, width]", "place in the list below"],
      ...more.map(([name, type, meaning]) => ["out", `\`${name}\``, `${type} [1, height, width]`, meaning]),
    ],
  );
}

/** The classes; `remark` goes behind a name. */
export const classTable = (classes: ModelInfo["classes"], remark: (name: string) => string = () => ""): string[] =>
  table(
    ["class", "name", "colour"],
    classes.map(({ name, colour }, k) => [String(k), `${cell(name)}${remark(name)}`, `rgb(${colour.join(", ")})`]),
  );

/** How to keep images as the training saw them. */
export const heightLimit = ({ height }: Pick<ModelInfo, "height">): string =>
  `- Images were scaled to a height of ${height} pixels in training. Scale yours likewise: at other scales things look larger or smaller than it knows.`;

/** Who wrote a model, from what; and what else is in its metadata. */
export const origin = (
  { producer, weights, training }: ModelInfo | BaselineInfo,
  { command, inside }: { readonly command: string; readonly inside: string },
): string[] => [
  `Written by ${producer}: \`${cell(command)}\`. sha256 of the weights ${weights.slice(0, 16)}…, seed ${String(training.seed)}. The whole config of the training, class`,
  `names, colours and ${inside} are in the model's metadata.`,
];
