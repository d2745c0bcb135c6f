import { printable } from "../../platform/printable.js";
import { callingExamples } from "../export/callingExamples.js";
import {
  cell,
  classTable,
  heightLimit,
  megabytes,
  origin,
  page,
  signatureTable,
  type WrittenModel,
} from "../export/cardParts.js";
import type { BaselineInfo } from "../model/modelInfo.js";
import type { BaselineParity } from "./baselineParity.js";

export interface BaselineCardContents {
  readonly info: BaselineInfo;
  readonly parity: BaselineParity;
  readonly file: WrittenModel;
  readonly command: string;
}

/** The page that lies beside a baseline's model. */
export function baselineCard({ info, parity, file, command }: BaselineCardContents): string {
  const { method, classes, network, remarks } = info;
  return page([
    [
      `# ${printable(file.name)}`,
      "",
      `Semantic segmentation with the uncertainty of \`${method}\`, in one pass of \`${cell(network)}\`, trained from labelled images`,
      `(\`${cell(String(info.training.source))}\`). ${settingsOf(info)}`,
    ],
    [
      "## What goes in and out",
      "",
      ...signatureTable([["uncertainty", "float32", "grows as certainty falls; its scale is the method's own"]]),
      "",
      "Normalisation, padding and everything that was fitted are inside. Nothing is resized. There is no γ: above which uncertainty a pixel",
      "is not to be trusted is up to you.",
      "",
      ...classTable(classes),
    ],
    [
      "## The file",
      "",
      `${megabytes(file.bytes)}, ${file.nodes} nodes, float32. Held to \`gssl evaluate\` before it was written: on ${parity.images} images (${parity.sizes.join(", ")})`,
      `uncertainty differed by at most ${parity.uncertainty.toExponential(1)} (of its size, where that is above 1), and ${parity.otherClass.pixels} of ${parity.pixels} pixels got another class.`,
    ],
    ["## Limits", "", heightLimit(info), ...remarks.map((remark) => `- ${cell(remark)}.`)],
    ["## Calling it", "", ...callingExamples(file.name, ["uncertainty"])],
    ["## How it came about", "", ...origin(info, { command, inside: "settings" })],
  ]);
}

function settingsOf({ settings, chosen: { by, among, on } }: BaselineInfo): string {
  const listed = Object.entries(settings).map(([name, value]) => `${name} ${value}`);
  if (listed.length === 0) return "It has no settings.";
  const how = by === "fixed" ? "the usual" : `the best of ${among} on \`${cell(on ?? by)}\``;
  return `Settings: ${cell(listed.join(", "))} (${how}).`;
}
