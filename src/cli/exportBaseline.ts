import { availableParallelism } from "node:os";
import { join } from "node:path";
import { openDataset } from "../data/datasets/openDataset.js";
import { openBaseline } from "../deployment/baselines/baseline.js";
import { baselineCard } from "../deployment/baselines/baselineCard.js";
import { exportBaseline } from "../deployment/baselines/exportBaseline.js";
import { writeModels } from "../deployment/export/writeExport.js";
import { nodeRuntime } from "../engine/runtime/node.js";
import { NetworkNames } from "../evaluation/networkNames.js";
import { prepareContext } from "../evaluation/prepare/context.js";
import { choosesSettings, type OnePassMethod } from "../methods/method.js";
import { cacheFolder } from "../platform/cacheFolder.js";
import { print, printJson } from "../platform/print.js";
import { openRun } from "../runs/openRun.js";
import { type BaselineWords, baselineOptions } from "./baselineOptions.js";
import { commandLine } from "./commandLine.js";
import { openHeldOut } from "./openHeldOut.js";
import { screenOn } from "./trainStatus.js";
import { wholeNumber } from "./wholeNumber.js";

export interface BaselineExportOptions extends Pick<BaselineWords, "gmmPrior"> {
  readonly to?: string;
  readonly sourceVal?: string;
  readonly threads?: string;
  readonly cache?: string;
  readonly json?: true;
}

/** A baseline of one pass as one file: fitted and chosen as gssl evaluate does, unless that was done before. */
export async function exportBaselineCommand(
  folder: string,
  method: OnePassMethod,
  options: BaselineExportOptions,
): Promise<void> {
  const screen = screenOn(process.stderr);
  const cache = options.cache ?? cacheFolder();
  const threads = wholeNumber("threads", options.threads ?? String(availableParallelism()), [1, 256]);
  const runtime = nodeRuntime({ threads });
  const baselines = baselineOptions(options);
  const run = await openRun(folder);
  const source = await openDataset(run.config.source, { cache: join(cache, "scenes") });
  const tries = choosesSettings(method, baselines) || method.needsHeldOut;
  const { sourceVal } = options;
  const validation = tries
    ? await openHeldOut(source, { ...(sourceVal !== undefined && { sourceVal }), cache }, screen)
    : null;
  const context = prepareContext(
    {
      runtime,
      run,
      source,
      validation,
      baselines,
      again: false,
      onProgress: (what, done, total) => screen.passing(`${what}: ${done}/${total}`),
    },
    { by: "source-val", on: validation, policy: "paper" },
    new NetworkNames(run, baselines),
  );
  const { info, bytes, parity } = await exportBaseline(runtime, await openBaseline(context, method), source);
  screen.passing("");
  const to = options.to ?? join(folder, `model.${method.name}.onnx`);
  const command = commandLine();
  const { files, card } = await writeModels(to, [{ info, bytes }], ([file]) =>
    baselineCard({ info, parity, file: file!, command }),
  );
  const { settings, chosen, remarks, network } = info;
  if (options.json) {
    printJson({ files, card, method: method.name, settings, chosen, remarks, network, parity }, 1);
    return;
  }
  for (const remark of remarks) screen.line(`note: ${remark}`);
  print(
    `${method.name} ${JSON.stringify(settings)} of ${network}; same output as gssl evaluate: uncertainty within ${parity.uncertainty.toExponential(1)} at ${parity.sizes.join(", ")}`,
  );
  for (const { path, bytes: size, nodes } of files) print(`${path}  (${(size / 1e6).toFixed(1)} MB, ${nodes} nodes)`);
  print(card);
}
