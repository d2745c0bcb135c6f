import { basename, dirname, extname, join } from "node:path";
import { readModel } from "../../engine/onnx/readModel.js";
import { findResults } from "../../evaluation/results/findResults.js";
import type { ResultFile } from "../../evaluation/results/resultFile.js";
import { writeAtomically } from "../../platform/atomicFile.js";
import { UserError } from "../../platform/errors.js";
import { makeFolder } from "../../platform/files.js";
import type { ModelInfo } from "../model/modelInfo.js";
import type { WrittenModel } from "./cardParts.js";
import { type CardContents, modelCard } from "./modelCard.js";

/** A model in memory. */
export interface Unwritten {
  readonly info: ModelInfo;
  readonly bytes: Uint8Array;
}

/** Names of variants lie beside the model: model.fp16.onnx, model.int8.onnx. */
const endings = { float32: "", float16: ".fp16", int8: ".int8" } as const;

/** More nodes than this cannot be looked at any more. */
const MOST_NODES = 300;

/** Files that were written, and where their card lies. */
export interface WrittenExport {
  readonly files: readonly (WrittenModel & { readonly path: string })[];
  readonly card: string;
}

/** Write the models of a run, then their card. The first is the one asked for. */
export const writeExport = (
  to: string,
  models: readonly Unwritten[],
  contents: Omit<CardContents, "files" | "info">,
): Promise<WrittenExport> =>
  writeModels(to, models, (files) => modelCard({ ...contents, info: models[0]!.info, files }));

/** Write models, each whole or not at all, then the card that describes them. */
export async function writeModels(
  to: string,
  models: readonly { readonly info: Pick<ModelInfo, "precision">; readonly bytes: Uint8Array }[],
  describe: (files: readonly WrittenModel[]) => string,
): Promise<WrittenExport> {
  if (extname(to) !== ".onnx") throw new UserError(`--to is "${to}", wanted a file that ends in .onnx`);
  const stem = join(dirname(to), basename(to, ".onnx"));
  const files = models.map(({ info: { precision }, bytes }) => {
    const path = `${stem}${endings[precision]}.onnx`;
    const { nodes } = readModel(bytes, path);
    if (nodes > MOST_NODES) throw new UserError(`${path} would have ${nodes} nodes, wanted at most ${MOST_NODES}`);
    return { path, name: basename(path), precision, bytes: bytes.length, nodes };
  });
  await makeFolder(dirname(to));
  for (const [i, { path }] of files.entries()) await writeAtomically(path, models[i]!.bytes, { durable: true });
  const card = `${stem}.md`;
  await writeAtomically(card, describe(files));
  return { files, card };
}

/** What was measured of a run so far. */
export const resultsOf = async (folder: string): Promise<ResultFile[]> =>
  (await findResults(folder)).map(({ result }) => result);
