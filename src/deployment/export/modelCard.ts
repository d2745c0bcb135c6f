import type { ResultFile } from "../../evaluation/results/resultFile.js";
import { printable } from "../../platform/printable.js";
import type { BaselineInfo, ModelInfo } from "../model/modelInfo.js";
import { outOfDomainRule } from "../model/outOfDomain.js";
import { callingExamples } from "./callingExamples.js";
import {
  cell,
  classTable,
  heightLimit,
  megabytes,
  origin,
  page,
  signatureTable,
  table,
  type WrittenModel,
} from "./cardParts.js";
import type { Measured } from "./measure.js";

export interface CardContents {
  readonly info: ModelInfo | BaselineInfo;
  readonly files: readonly WrittenModel[];
  /** The files beside each other on labelled images, where there are several. */
  readonly measured: { readonly on: string; readonly models: readonly Measured[] } | null;
  /** What these weights were found to do, and what was measured beside them. */
  readonly results: readonly ResultFile[];
  readonly command: string;
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
const number = (value: number | null | undefined, digits = 3): string => value?.toFixed(digits) ?? "–";

/** The page that lies beside a model: what it is, what was measured, what it cannot do, how to call it. */
export function modelCard(contents: CardContents): string {
  const { info, files, command } = contents;
  const title = `# ${printable(files[0]!.name)}`;
  if ("method" in info) {
    return page([
      [title, "", ...baselineIs(info)],
      ["## What goes in and out", "", ...baselineInAndOut(info)],
      ["## Files", "", ...fileTable(contents)],
      ["## Limits", "", heightLimit(info), ...info.remarks.map((remark) => `- ${cell(remark)}.`)],
      ["## Calling it", "", ...callingExamples(files[0]!.name, ["uncertainty"])],
      ["## How it came about", "", ...origin(info, { command, inside: "settings" })],
    ]);
  }
  return page([
    [title, "", ...whatItIs(info)],
    ["## What goes in and out", "", ...inAndOut(info)],
    ["## The threshold", "", ...threshold(info)],
    ["## Results", "", ...results(contents)],
    ["## Files", "", ...fileTable(contents)],
    ["## Limits", "", ...limits(info)],
    ["## Calling it", "", ...callingExamples(files[0]!.name, ["similarity", "certain", "distance"])],
    ["## How it came about", "", ...origin(info, { command, inside: "γ" })],
  ]);
}

function baselineIs({ method, network, training, settings, chosen: { by, among, on } }: BaselineInfo): string[] {
  const listed = Object.entries(settings).map(([name, value]) => `${name} ${value}`);
  const how = by === "fixed" ? "the usual" : `the best of ${among} on \`${cell(on ?? by)}\``;
  return [
    `Semantic segmentation with the uncertainty of \`${method}\`, in one pass of \`${cell(network)}\`, trained from labelled images`,
    `(\`${cell(String(training.source))}\`). ${listed.length === 0 ? "It has no settings." : `Settings: ${cell(listed.join(", "))} (${how}).`}`,
  ];
}

const baselineInAndOut = ({ classes }: BaselineInfo): string[] => [
  ...signatureTable([["uncertainty", "float32", "grows as certainty falls; its scale is the method's own"]]),
  "",
  "Scaling, normalisation, padding and everything that was fitted are inside. There is no γ: above which uncertainty a",
  "pixel is not to be trusted is up to you.",
  "",
  ...classTable(classes),
];

const trainedOn = ({ training }: ModelInfo): { source: string; targets: string } => ({
  source: String(training.source),
  targets: (training.targets as readonly string[]).join(", "),
});

function whatItIs(info: ModelInfo): string[] {
  const { source, targets } = trainedOn(info);
  return [
    "Semantic segmentation that says which pixels it can be trusted on, in one pass: γ-SSL (Williams, De Martini, Gadd, Newman), trained from",
    `labelled images (\`${cell(source)}\`) and unlabelled images of the place it is for (\`${cell(targets)}\`).`,
  ];
}

function inAndOut({ score, classes, unseen, probabilities }: ModelInfo): string[] {
  const meaning = {
    cosine: "cosine similarity to the prototype of the class, -1 to 1",
    softmax: "probability of the class: softmax of cosine similarities at the temperature of training, 0 to 1",
  }[score];
  return [
    ...signatureTable([
      ["similarity", "float32", `${meaning}; larger is surer`],
      ["certain", "uint8", "1 where similarity is at least γ, else 0"],
      ["distance", "float32", "how far the image is from those of the training; out of domain above 1", "[1]"],
    ]),
    ...(probabilities
      ? [
          "",
          `\`probabilities\` float32 [1, height, width, ${classes.length + 1}] is a further output: of each class, and last of none of them (Eq. 4 of the paper).`,
        ]
      : []),
    "",
    "Scaling, normalisation, padding, prototypes and γ are inside.",
    "",
    ...classTable(classes, (name) =>
      unseen.includes(name) ? " (never certain: no image of the source showed it)" : "",
    ),
  ];
}

function threshold({
  gamma,
  gammaFrom,
  expectedCertain: { mean, deviation, lowest, images, on },
}: ModelInfo): string[] {
  return [
    `γ = ${gamma.toFixed(4)}, from ${gammaFrom === "training" ? "training" : `\`${cell(gammaFrom)}\``}: as many pixels are certain as two views of an image agree on. No label was`,
    `used for it. On ${images} images of \`${cell(on)}\`, ${percent(mean)} of the pixels of an image were certain (standard deviation`,
    `${percent(deviation)}, lowest ${percent(lowest)}).`,
  ];
}

function results({ results: found }: CardContents): string[] {
  if (found.length === 0)
    return ["None yet: `gssl evaluate RUN --on SPEC` measures them, and the next export shows them here."];
  const rows = found.map(({ dataset, method, accuracy, auroc, aupr, atGamma, images }) => [
    `\`${cell(dataset)}\``,
    cell(method),
    String(images),
    number(accuracy),
    number(auroc),
    number(aupr),
    atGamma === null ? "–" : `${number(atGamma.amd)} (γ ${number(atGamma.gamma)}, ${percent(atGamma.certain)} certain)`,
  ]);
  return [
    ...table(["data set", "method", "images", "accuracy", "AUROC", "AUPR", "A_MD at γ"], rows),
    "",
    found.some(({ method }) => method === "gamma-ssl")
      ? "Of the run, before export. `gamma-ssl` is what this model computes; the others were measured beside it and are not in the model."
      : "Of the run, before export, and of other methods: what this model computes was not measured.",
  ];
}

function fileTable({ files, measured }: CardContents): string[] {
  const rows = files.map(({ name, precision, bytes, nodes }) => {
    const found = measured?.models.find((one) => one.precision === precision);
    const numbers =
      found === undefined
        ? []
        : [number(found.accuracy, 4), number(found.auroc, 4), percent(found.sameClass), percent(found.sameCertain)];
    return [`\`${cell(name)}\``, precision, megabytes(bytes), String(nodes), ...numbers];
  });
  const more = measured === null ? [] : ["accuracy", "AUROC", "same class", "same certainty"];
  return [
    ...table(["file", "numbers", "size", "nodes", ...more], rows),
    ...(measured === null ? [] : ["", `Measured on \`${cell(measured.on)}\`; same as the float32 model says.`]),
    "",
    `Compared with \`gssl evaluate\` before it was written, on ${files[0]!.parity.images} images (${files[0]!.parity.sizes.join(", ")}):`,
    "",
    ...files.map(comparison),
  ];
}

const comparison = ({ name, parity: { uncertainty, otherClass, otherCertain, pixels } }: WrittenModel): string =>
  `- \`${cell(name)}\`: uncertainty differs by at most ${uncertainty.toExponential(1)} (relative), ${otherClass.pixels} of ${pixels} pixels get another class` +
  (otherCertain === undefined ? "." : ` and ${otherCertain.pixels} another certainty.`);

function limits({ height, expectedCertain, distanceFrom, unseen }: ModelInfo): string[] {
  return [
    heightLimit({ height }),
    `- \`certain\` is a promise about places like \`${cell(expectedCertain.on)}\`. Elsewhere, solve for γ again with \`gssl threshold\` on unlabelled images.`,
    `- An image is out of domain with ${cell(outOfDomainRule(distanceFrom))}. One that is not flagged may still show something else: a street upside down passes.`,
    "- A certain pixel can be wrong: γ balances how many are kept against how many of those are right. It is not a guarantee.",
    ...(unseen.length === 0 ? [] : [`- No prototype, hence never predicted: ${unseen.map(cell).join(", ")}.`]),
  ];
}
