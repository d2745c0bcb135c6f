import { print, printJson, printNote } from "../../platform/print.js";
import { command } from "../terminal/command.js";
import { commandLine } from "../terminal/commandLine.js";
import { choice, type Library, number, numbers, required, text, usually, whole } from "../terminal/flags.js";
import { printNext } from "../terminal/next.js";
import { json } from "../terminal/shared.js";

const ids = (about: string) => numbers("<ids>", about, "that are whole", Number.isInteger);

export const score = command({
  name: "score",
  about: "score predictions of any program: .npy arrays, or folders of PNG and .npy files",
  words: {},
  flags: {
    labels: required(text("<path>", "true classes: .npy [N, H, W] or [H, W], or a folder of label PNGs")),
    predicted: required(text("<path>", "predicted classes, in the same form; files are matched by name")),
    uncertainty: required(text("<path>", "uncertainty of each pixel: .npy, or 16-bit PNGs; larger is less certain")),
    classes: text("<n|file>", "how many classes, or a JSON list of their names"),
    unknown: ids("label values that are no class of yours; any prediction there is wrong (default: 254)"),
    void: ids("label values that mean not labelled (default: 255)"),
    policy: choice(
      "<name>",
      ({ policyNames }) => policyNames,
      "paper, official or known: what happens to unknown and void pixels (default: paper)",
    ),
    threshold: number("<u>", "also report at this threshold on uncertainty, chosen beforehand"),
    datasetName: text("<name>", "name of the data set in the result; the labels' file name when left out"),
    methodName: text("<name>", "name of the method in the result; the predictions' file name when left out"),
    to: text("<folder>", "run folder to write the result into, with examples for the report"),
    images: text("<folder>", "images to show in the report"),
    examples: usually(whole("<n>", [0, 1000], "images to keep for the report"), "24"),
    threads: whole("<n>", [1, 256], "threads to read and count with (default: all cores, at most 4)"),
    json,
  },
  async run({ json, ...options }, { library }) {
    const onNote = (note: string): void => printNote(`note: ${note}`);
    const { result, path } = await library.score({ ...options, command: commandLine(), onNote });
    if (json) printJson(result, 1);
    else for (const line of described(result)) print(line);
    if (!json && path !== null) {
      print(path);
      printNext("report", options.to!);
    }
  },
});

type Result = Awaited<ReturnType<Library["score"]>>["result"];

function* described(result: Result): Generator<string> {
  const { maxAmd, maxF05, atGamma, intervals } = result;
  const said = (name: string, value: number | null | undefined, more = ""): string => {
    const reason = result.reasons[name] ?? result.reasons.segmentation ?? "";
    return `${name.padEnd(10)} ${typeof value === "number" ? `${value.toFixed(4)}${more}` : `-       ${reason}`}`;
  };
  const within = (name: "accuracy" | "auroc" | "aupr"): string => {
    const found = intervals?.[name] ?? null;
    return found === null ? "" : `  (${found.low.toFixed(4)} to ${found.high.toFixed(4)}, 95 % over images)`;
  };
  yield `${result.method} on ${result.dataset}: ${result.images} images, ${result.pixels} scored pixels`;
  yield said("accuracy", result.accuracy, within("accuracy"));
  yield said("meanIou", result.segmentation?.meanIou);
  yield said("auroc", result.auroc, within("auroc"));
  yield said("aupr", result.aupr, `${within("aupr")}  (chance ${result.chance.aupr?.toFixed(4)})`);
  yield said("fpr95", result.fpr95);
  yield said("aurc", result.aurc);
  yield said("maxAmd", maxAmd?.value, ` @ p(a,c) ${maxAmd?.pac.toFixed(4)}, threshold ${maxAmd?.threshold}`);
  yield said("maxF05", maxF05?.value, ` @ p(a,c) ${maxF05?.pac.toFixed(4)}, threshold ${maxF05?.threshold}`);
  if (atGamma === null) return;
  yield `at ${atGamma.threshold}: A_MD ${atGamma.amd.toFixed(4)}, F0.5 ${atGamma.f05.toFixed(4)} @ p(a,c) ${atGamma.pac.toFixed(4)}`;
}
