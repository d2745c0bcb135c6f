import { availableParallelism } from "node:os";
import { join } from "node:path";
import { openDataset } from "../data/datasets/openDataset.js";
import type { ExportableRival } from "../deployment/export/exportable.js";
import { writeModels } from "../deployment/export/writeExport.js";
import { exportRival } from "../deployment/rivals/exportRival.js";
import { openRival } from "../deployment/rivals/rival.js";
import { rivalCard } from "../deployment/rivals/rivalCard.js";
import { nodeRuntime } from "../engine/runtime/node.js";
import { groupContext } from "../evaluation/groups/context.js";
import { choosesSettings, needsHeldOut } from "../evaluation/methodNames.js";
import { NetworkNames } from "../evaluation/networkNames.js";
import { printable } from "../platform/printable.js";
import { openRun } from "../runs/openRun.js";
import { cacheFolder } from "./cacheFolder.js";
import { commandLine } from "./commandLine.js";
import { openHeldOut } from "./openHeldOut.js";
import { type RivalWords, rivalOptions } from "./rivalOptions.js";
import { screenOn } from "./trainStatus.js";
import { wholeNumber } from "./wholeNumber.js";

export interface RivalExportOptions extends Pick<RivalWords, "gmmPrior"> {
  readonly to?: string;
  readonly sourceVal?: string;
  readonly threads?: string;
  readonly cache?: string;
  readonly json?: true;
}

/** A rival of one pass as one file: fitted and chosen as gssl evaluate does, unless that was done before. */
export async function exportRivalCommand(
  folder: string,
  method: ExportableRival,
  options: RivalExportOptions,
): Promise<void> {
  const screen = screenOn(process.stderr);
  const cache = options.cache ?? cacheFolder();
  const threads = wholeNumber("threads", options.threads ?? String(availableParallelism()), [1, 256]);
  const runtime = nodeRuntime({ threads });
  const rivals = rivalOptions(options);
  const run = await openRun(folder);
  const source = await openDataset(run.config.source, { cache: join(cache, "scenes") });
  const tries = choosesSettings(method) || needsHeldOut(method);
  const { sourceVal } = options;
  const validation = tries
    ? await openHeldOut(source, { ...(sourceVal !== undefined && { sourceVal }), cache }, screen)
    : null;
  const context = groupContext(
    {
      runtime,
      run,
      source,
      validation,
      rivals,
      again: false,
      onProgress: (what, done, total) => screen.passing(`${what}: ${done}/${total}`),
    },
    { by: "source-val", on: validation, policy: "paper" },
    new NetworkNames(run, rivals),
  );
  const { info, bytes, parity } = await exportRival(runtime, await openRival(context, method), source);
  screen.passing("");
  const to = options.to ?? join(folder, `model.${method}.onnx`);
  const command = commandLine();
  const { files, card } = await writeModels(to, [{ info, bytes }], ([file]) =>
    rivalCard({ info, parity, file: file!, command }),
  );
  const { settings, chosen, remarks, network } = info;
  if (options.json) {
    console.log(JSON.stringify({ files, card, method, settings, chosen, remarks, network, parity }, null, 1));
    return;
  }
  for (const remark of remarks) screen.line(printable(`note: ${remark}`));
  console.log(
    printable(
      `${method} ${JSON.stringify(settings)} of ${network}; answers as gssl evaluate does: uncertainty within ${parity.uncertainty.toExponential(1)} at ${parity.sizes.join(", ")}`,
    ),
  );
  for (const { path, bytes: size, nodes } of files)
    console.log(printable(`${path}  (${(size / 1e6).toFixed(1)} MB, ${nodes} nodes)`));
  console.log(printable(card));
}
