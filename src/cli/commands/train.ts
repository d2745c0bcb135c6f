import { UserError } from "../../platform/errors.js";
import { printJson, printNote } from "../../platform/print.js";
import { command } from "../terminal/command.js";
import { commandLine } from "../terminal/commandLine.js";
import {
  choice,
  extent,
  type Library,
  number,
  text,
  texts,
  time,
  toggle,
  usually,
  type Values,
  whole,
} from "../terminal/flags.js";
import { afterTraining, printNext } from "../terminal/next.js";
import { cache, device, plugin, seed, threads } from "../terminal/shared.js";
import { showPlan } from "../terminal/showPlan.js";
import { showTraining } from "../terminal/showTraining.js";
import { withTimeLimit } from "../terminal/timeLimit.js";

const steps = (about: string) => whole("<n>", [0, 100_000_000], about);
const above0 = (about: string) => number("<x>", about, "a number above 0", (value) => value > 0);

/** What decides the weights, by the kind of training that knows it. */
const common = {
  source: text("<spec>", "labelled images to learn from, e.g. camvid:data/camvid?sequence=day"),
  weights: text("<file>", "weights to start from (.safetensors or .pth)"),
  steps: steps("training steps; gamma-ssl: of the second stage, in each target"),
  batch: whole("<n>", [1, 4096], "images in a batch"),
  height: whole("<pixels>", [16, 8192], "height that images are scaled to"),
  crop: extent("<HxW>", "size of the training views, e.g. 128x256"),
  learningRate: above0("learning rate at the start"),
  width: above0("multiplies the encoder's channels"),
  features: whole("<n>", [1, 1024], "channels of the penultimate features"),
  outputStride: whole("<n>", [8, 16], "8 or 16"),
  seed: seed("decides everything random"),
};
const gammaOnly = {
  target: texts("<spec...>", "gamma-ssl: unlabelled images; several in turn make a curriculum"),
  profile: choice("<name>", ({ profileNames }) => profileNames, "gamma-ssl: small, paper or official (default: small)"),
  ablation: choice(
    "<name>",
    ({ ablationNames }) => ablationNames,
    "gamma-ssl: take one thing away, e.g. no-filter (docs/method.md)",
  ),
  pretraining: steps("gamma-ssl: steps of the first stage; 0 adapts a network that --weights names"),
};
const supervisedOnly = {
  encoderFactor: number(
    "<x>",
    "supervised: multiplies the encoder's learning rate",
    "0 or more",
    (value) => value >= 0,
  ),
  clipNorm: above0("supervised: joint length beyond which gradients are scaled down"),
};
const deciding = {
  method: choice(
    "<name>",
    ["supervised", "gamma-ssl"],
    "supervised or gamma-ssl (default: gamma-ssl where there is a target)",
  ),
  ...common,
  ...gammaOnly,
  ...supervisedOnly,
};

export const train = command({
  name: "train",
  about: "train a network; run the same command again to continue where it stopped",
  words: {},
  flags: {
    ...deciding,
    config: text("<file>", "settings as JSON; flags win over them"),
    validate: text("<spec>", "labelled images to measure on now and then"),
    to: usually(text("<folder>", "run folder"), "runs/train"),
    device,
    threads,
    workers: usually(whole("<n>", [0, 64], "threads that prepare batches; results do not depend on it"), "1"),
    checkpointEvery: usually(whole("<n>", [1, 1_000_000], "steps between checkpoints"), "100"),
    validateEvery: usually(whole("<n>", [1, 1_000_000], "steps between validations"), "500"),
    time: time(
      "<time>",
      "stop after this time, e.g. 2h or 45m, with all steps saved; the same command continues (exit code 124)",
    ),
    overwrite: toggle("start over: removes what an earlier run left in the folder"),
    ui: toggle("with a page that shows how it goes, on this machine (gssl watch opens it later, too)"),
    uiPort: whole("<n>", [0, 65_535], "port of that page; implies --ui (default: a free one)"),
    dryRun: toggle(
      "check data, settings and disk, try three steps of every stage, print the plan and its cost, and stop",
    ),
    nodes: toggle("with --dry-run: count the nodes of each step that the device leaves to the CPU"),
    verbose: toggle("gamma-ssl: list the settings that are not the paper's"),
    printConfig: toggle("print every setting, and stop"),
    cache,
    plugin,
    json: toggle("events as JSON lines on standard output"),
  },
  async run(given, { library, signal }) {
    const {
      config,
      validate,
      to,
      device,
      threads,
      workers,
      checkpointEvery,
      validateEvery,
      overwrite,
      cache,
      json,
      verbose,
    } = given;
    const file = config === undefined ? {} : await library.readSettings(config);
    const settings = library.mergeSettings(file, settingsOf(given, file));
    if (given.printConfig) {
      printJson(library.resolveConfig(settings, config ?? "train"), 2);
      return;
    }
    const pace = { device, threads, workers, checkpointEvery, validateEvery };
    refuseNodes(given);
    if (given.dryRun) {
      const { nodes } = given;
      await showPlan(library, settings, { to, validate, ...pace, overwrite, cache, json, verbose, nodes, signal });
      return;
    }
    const page = given.ui || given.uiPort !== undefined ? await openPage(library, to, given.uiPort) : null;
    try {
      const shown = { json, verbose, signal: withTimeLimit(signal, given.time) };
      const method = await showTraining(library, settings, { to, validate, ...pace, overwrite, cache, ...shown });
      if (!json) printNext(...afterTraining(to, validate, method));
    } finally {
      await page?.close();
    }
  },
});

/** Nodes can be left to the CPU by another device only, and are counted without training. */
function refuseNodes({
  nodes,
  dryRun,
  device = "cpu",
}: {
  nodes: boolean;
  dryRun: boolean;
  device?: string | undefined;
}): void {
  if (!nodes || (dryRun && device !== "cpu")) return;
  throw new UserError("--nodes counts what a device leaves to the CPU, without training", {
    hint: "for example --dry-run --nodes --device webgpu",
    code: "bad-option",
  });
}

/** A page beside the training; null where there can be none: the training goes on without. */
async function openPage(
  library: Library,
  run: string,
  port: number | undefined,
): Promise<{ close(): Promise<void> } | null> {
  try {
    const page = await library.watch([run], { port, awaited: true, onNote: printNote });
    printNote(`watch it at ${page.url}; later: ${commandLine(["watch", run])}`);
    return page;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    printNote(`warning: there is no page: ${error.message}${error.hint === undefined ? "" : ` (${error.hint})`}`);
    return null;
  }
}

/** Only what was typed; the rest is for the config file and the defaults. A flag of the other method is refused. */
function settingsOf(given: Values<typeof deciding>, file: Settings): object {
  const { method: typed, source, target, weights, seed, height, crop, steps, batch, learningRate, pretraining } = given;
  const named = typed ?? file.method;
  const method = named ?? (target === undefined && file.targets === undefined ? "supervised" : "gamma-ssl");
  refuse(given, method === "gamma-ssl" ? supervisedOnly : gammaOnly, method, named !== undefined);
  if (source === undefined && file.source === undefined) {
    throw new UserError("there is nothing to learn from: name labelled images with --source", {
      hint: "for example --source camvid:data/camvid; docs/data.md lists data sets, gssl demo needs none",
      code: "bad-option",
    });
  }
  const { width, features, outputStride, encoderFactor, clipNorm, profile, ablation } = given;
  const network = { width, features, outputStride };
  const shared = { method, source, weights, seed, view: { height, crop } };
  if (method !== "gamma-ssl") return { ...shared, network, steps, batch, learningRate, encoderFactor, clipNorm };
  return {
    ...shared,
    targets: target,
    profile,
    ablation,
    options: {
      network,
      batch: { source: batch, prototype: batch, target: batch },
      training: { pretraining, adaptation: steps, learningRate },
    },
  };
}

type Settings = Awaited<ReturnType<Library["readSettings"]>>;

/** A flag that would do nothing is an error: what was trained would not be what was asked for. */
function refuse(given: Values<typeof deciding>, others: object, method: unknown, named: boolean): void {
  const names = Object.keys(others) as (keyof typeof deciding)[];
  const odd = names.find((name) => given[name] !== undefined);
  if (odd === undefined) return;
  const flag = `--${odd.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`)}`;
  const [right, way] =
    method === "gamma-ssl"
      ? ["supervised", "leave out --target"]
      : ["gamma-ssl", "name unlabelled images with --target"];
  throw new UserError(`${flag} is of --method ${right}; this training is ${String(method)}`, {
    hint: named ? `leave ${flag} out, or choose --method ${right}` : `leave ${flag} out, or ${way}`,
    code: "bad-option",
  });
}
