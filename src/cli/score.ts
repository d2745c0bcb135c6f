import { availableParallelism } from "node:os";
import { basename, extname } from "node:path";
import { readClasses } from "../evaluation/classNames.js";
import { environment } from "../evaluation/results/environment.js";
import type { ResultFile } from "../evaluation/results/resultFile.js";
import { type PolicyName, resultOf } from "../evaluation/results/resultOf.js";
import { writeResult } from "../evaluation/results/writeResult.js";
import { score as scorePredictions } from "../evaluation/score.js";
import { policies } from "../metrics/verdict.js";
import { UserError } from "../platform/errors.js";
import { print, printJson, printNote } from "../platform/print.js";
import { commandLine } from "./commandLine.js";
import { wholeNumber } from "./wholeNumber.js";

interface ScoreCommand {
  readonly labels: string;
  readonly predicted: string;
  readonly uncertainty: string;
  readonly classes?: string;
  readonly unknown?: string;
  readonly void?: string;
  readonly policy: string;
  readonly threshold?: string;
  readonly dataset?: string;
  readonly method?: string;
  readonly to?: string;
  readonly images?: string;
  readonly examples: string;
  readonly threads?: string;
  readonly json?: true;
}

export async function score(command: ScoreCommand): Promise<void> {
  const { labels, predicted, uncertainty, images, threshold } = command;
  const most = wholeNumber("examples", command.examples, [0, 1000]);
  const threads = wholeNumber("threads", command.threads ?? String(Math.min(4, availableParallelism())), [1, 256]);
  const scored = await scorePredictions({
    labels,
    predicted,
    uncertainty,
    policy: policyOf(command.policy),
    threads,
    ...(command.unknown === undefined ? {} : { unknown: idsOf("unknown", command.unknown) }),
    ...(command.void === undefined ? {} : { void: idsOf("void", command.void) }),
    ...(images === undefined ? {} : { images }),
    ...(command.classes === undefined ? {} : await readClasses(command.classes)),
    ...(threshold === undefined ? {} : { threshold: numberOf("threshold", threshold) }),
    onNote: (note) => printNote(`note: ${note}`),
  });
  try {
    const evaluation = {
      ...scored,
      dataset: command.dataset ?? stem(labels),
      method: command.method ?? stem(predicted),
      intervals: { seed: 0 },
      command: commandLine(),
      seeds: { bootstrap: 0 },
      environment: environment(),
    };
    const written = command.to === undefined ? null : await writeResult(command.to, evaluation, scored.examples(most));
    const result = written?.result ?? resultOf(evaluation);
    if (result.auroc !== null && result.auroc < 0.4) {
      printNote(
        `note: AUROC ${result.auroc.toFixed(3)} is below chance; is --uncertainty a confidence? larger must mean less sure`,
      );
    }
    if (command.json) printJson(result, 1);
    else printResult(result, written?.path);
  } finally {
    await scored.close();
  }
}

const stem = (path: string): string => basename(path, extname(path));

function printResult(result: ResultFile, path: string | undefined): void {
  const { maxAmd, maxF05, atGamma, intervals } = result;
  const say = (name: string, value: number | null | undefined, more = ""): void => {
    const reason = result.reasons[name] ?? result.reasons.segmentation ?? "";
    const shown = typeof value === "number" ? `${value.toFixed(4)}${more}` : `-       ${reason}`;
    print(`${name.padEnd(10)} ${shown}`);
  };
  const within = (name: "accuracy" | "auroc" | "aupr"): string => {
    const found = intervals?.[name] ?? null;
    return found === null ? "" : `  (${found.low.toFixed(4)} to ${found.high.toFixed(4)}, 95 % over images)`;
  };
  print(`${result.method} on ${result.dataset}: ${result.images} images, ${result.pixels} scored pixels`);
  say("accuracy", result.accuracy, within("accuracy"));
  say("meanIou", result.segmentation?.meanIou);
  say("auroc", result.auroc, within("auroc"));
  say("aupr", result.aupr, `${within("aupr")}  (chance ${result.chance.aupr?.toFixed(4)})`);
  say("fpr95", result.fpr95);
  say("aurc", result.aurc);
  say("maxAmd", maxAmd?.value, ` @ p(a,c) ${maxAmd?.pac.toFixed(4)}, threshold ${maxAmd?.threshold}`);
  say("maxF05", maxF05?.value, ` @ p(a,c) ${maxF05?.pac.toFixed(4)}, threshold ${maxF05?.threshold}`);
  if (atGamma !== null) {
    print(
      `at ${atGamma.threshold}: A_MD ${atGamma.amd.toFixed(4)}, F0.5 ${atGamma.f05.toFixed(4)} @ p(a,c) ${atGamma.pac.toFixed(4)}`,
    );
  }
  if (path !== undefined) print(path);
}

function policyOf(name: string): PolicyName {
  if (!Object.hasOwn(policies, name)) {
    throw new UserError(`--policy is "${name}"`, { hint: `known: ${Object.keys(policies).join(", ")}` });
  }
  return name as PolicyName;
}

function idsOf(option: string, text: string): number[] {
  const parts = text.split(",").map((part) => part.trim());
  return parts
    .filter((part) => part !== "")
    .map((part) => {
      if (!/^-?\d+$/.test(part)) throw new UserError(`--${option} has "${part}", wanted whole numbers such as 254,255`);
      return Number(part);
    });
}

function numberOf(option: string, text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !Number.isFinite(value)) throw new UserError(`--${option} is "${text}", wanted a number`);
  return value;
}
