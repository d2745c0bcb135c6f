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
export function signatureTable(
  more: readonly (readonly [name: string, type: string, meaning: string, shape?: string])[],
): string[] {
  return table(
    ["", "name", "type", "meaning"],
    [
      ["in", "`image`", "uint8 [1, height, width, 3]", "red, green, blue; any height and width"],
      ["out", "`class`", "uint8 [1, height, width]", "place in the list below"],
      ...more.map(([name, type, meaning, shape = "[1, height, width]"]) => {
        return ["out", `\`${name}\``, `${type} ${shape}`, meaning];
      }),
    ],
  );
}

/** The classes; `remark` goes behind a name. */
export const classTable = (classes: ModelInfo["classes"], remark: (name: string) => string = () => ""): string[] =>
  table(
    ["class", "name", "colour"],
    classes.map(({ name, colour }, k) => [String(k), `${cell(name)}${remark(name)}`, `rgb(${colour.join(", ")})`]),
  );

/** How the network sees images. */
export const heightLimit = ({ height }: Pick<ModelInfo, "height">): string =>
  `- The network sees images at a height of ${height} pixels, to which the model scales them. What is too small to be seen there is missed in larger images, too.`;

/** Who wrote a model, from what; and what else is in its metadata. */
export const origin = (
  { producer, weights, training }: ModelInfo | BaselineInfo,
  { command, inside }: { readonly command: string; readonly inside: string },
): string[] => [
  `Written by ${producer}: \`${cell(command)}\`. sha256 of the weights ${weights.slice(0, 16)}…, seed ${String(training.seed)}. The whole config of the training, class`,
  `names, colours and ${inside} are in the model's metadata.`,
];
