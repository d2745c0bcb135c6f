import { createHash } from "node:crypto";
import { basename, dirname, extname, join } from "node:path";
import { readModel } from "../../engine/onnx/readModel.js";
import { writeAtomically } from "../../platform/atomicFile.js";
import { UserError } from "../../platform/errors.js";
import { makeFolder } from "../../platform/files.js";
import { descriptionOf, type ModelFile } from "../model/modelDescription.js";
import { type BaselineInfo, type ModelInfo, metadataOf } from "../model/modelInfo.js";
import type { WrittenModel } from "./cardParts.js";
import { type CardContents, modelCard } from "./modelCard.js";
import type { Parity } from "./parity.js";

/** A model in memory. */
export interface Unwritten {
  readonly info: ModelInfo | BaselineInfo;
  readonly bytes: Uint8Array;
  /** How it differs from what `gssl evaluate` computes. */
  readonly parity: Parity;
}

/** Names of variants lie beside the model: model.fp16.onnx, model.int8.onnx. */
const endings = { float32: "", float16: ".fp16", int8: ".int8" } as const;

/** More nodes than this cannot be looked at any more. The paper's network has 183; with probabilities, in 8-bit integers, 321. */
const MOST_NODES = 330;

/** Files that were written, each with its description (`model.json`) beside it, and where their card lies. */
export interface WrittenExport {
  readonly files: readonly (WrittenModel & { readonly path: string; readonly description: string })[];
  readonly card: string;
}

/** Write models, each whole or not at all, then what describes them to programs and to people. The first is the one asked for. */
export async function writeExport(
  to: string,
  models: readonly Unwritten[],
  contents: Omit<CardContents, "files" | "info">,
): Promise<WrittenExport> {
  if (extname(to) !== ".onnx") throw new UserError(`--to is "${to}", wanted a file that ends in .onnx`);
  const stem = join(dirname(to), basename(to, ".onnx"));
  const files = models.map(({ info: { precision }, bytes, parity }) => {
    const [path, description] = [".onnx", ".json"].map((end) => `${stem}${endings[precision]}${end}`) as [
      string,
      string,
    ];
    const { nodes } = readModel(bytes, path);
    if (nodes > MOST_NODES) throw new UserError(`${path} would have ${nodes} nodes, wanted at most ${MOST_NODES}`);
    return { path, description, name: basename(path), precision, bytes: bytes.length, nodes, parity };
  });
  await makeFolder(dirname(to));
  for (const [i, { path, name, description }] of files.entries()) {
    const model = models[i]!;
    await writeAtomically(path, model.bytes, { durable: true });
    await writeAtomically(description, `${JSON.stringify(modelFile(name, model), null, 1)}\n`);
  }
  const card = `${stem}.md`;
  await writeAtomically(card, modelCard({ ...contents, info: models[0]!.info, files }));
  return { files, card };
}

function modelFile(file: string, { info, bytes, parity }: Unwritten): ModelFile {
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  return {
    version: 1,
    file,
    bytes: bytes.length,
    sha256,
    ...descriptionOf(metadataOf(info), file),
    checks: { ...parity },
  };
}
