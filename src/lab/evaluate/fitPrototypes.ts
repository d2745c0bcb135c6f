import type { Dataset } from "../../data/datasets/dataset.js";
import { imagesTensor, labelsTensor } from "../../data/images/tensors.js";
import { UNKNOWN_LABEL, VOID_LABEL } from "../../data/labels/labelSpace.js";
import { readScaled } from "../../data/loader/readScaled.js";
import { input } from "../../engine/graph/value.js";
import { compile } from "../../engine/runtime/compile.js";
import type { Program, Runtime } from "../../engine/runtime/runtime.js";
import type { HostTensor } from "../../engine/tensor/hostTensor.js";
import { DatasetPrototypes } from "../../methods/gamma-ssl/datasetPrototypes.js";
import { labelCells, thingsAmong } from "../../methods/gamma-ssl/labelCells.js";
import type { GammaNetwork } from "../../methods/gamma-ssl/network.js";
import { classSums } from "../../methods/gamma-ssl/prototypes.js";
import { DECODER_STRIDE } from "../../networks/models/deeplab.js";
import { restingPass } from "../../networks/nn/pass.js";
import type { GammaConfig } from "../train/config.js";
import { classesOf } from "../train/stage.js";
import type { TrainedRun } from "./openRun.js";

/** Whole images are cut to a multiple of this at their right and lower edge, rather than padded: made-up pixels have no class. */
const MULTIPLE = 16;

/** Prototypes of all labelled source images (P-10, P-11): plain pictures, the network at rest. [F, K] */
export async function fitPrototypes(
  runtime: Runtime,
  { weights, classes }: TrainedRun,
  { options, view }: GammaConfig,
  network: GammaNetwork,
  source: Dataset,
): Promise<HostTensor> {
  const rule = {
    classes,
    side: DECODER_STRIDE,
    rule: options.prototypes.labels,
    things: thingsAmong(classesOf(source)),
  };
  const programs = new Map<string, Program>();
  const programFor = async (height: number, width: number): Promise<Program> => {
    const key = `${height}x${width}`;
    const known = programs.get(key);
    if (known !== undefined) return known;
    const images = input("images", { dtype: "float32", shape: [1, 3, height, width] });
    const labels = input("labels", { dtype: "int64", shape: [1, height, width] });
    const embeddings = network.project(network.features(images, restingPass), restingPass);
    const program = await compile(runtime, {
      outputs: { sums: classSums(embeddings, labelCells(labels, rule), classes).sums },
    });
    programs.set(key, program);
    return program;
  };
  const prototypes = new DatasetPrototypes({
    features: options.network.features,
    classes,
    rule: options.prototypes.dataset,
  });
  for (const item of source.items) {
    const { rgb, labels, width, height } = await readScaled(source, item, view.height);
    const [h, w] = [height, width].map((extent) => extent - (extent % MULTIPLE)) as [number, number];
    const program = await programFor(h, w);
    const part = { rgb: corner(rgb, width * 3, h, w * 3), width: w, height: h };
    const known = corner(labels!, width, h, w).map((label) => (label === UNKNOWN_LABEL ? VOID_LABEL : label));
    const { sums } = await program.run({
      ...weights,
      images: imagesTensor([part]),
      labels: labelsTensor([known], [h, w]),
    });
    prototypes.add(sums!);
  }
  for (const program of programs.values()) await program.close();
  return prototypes.finish();
}

/** The first `length` bytes of the first rows. */
function corner(bytes: Uint8Array, stride: number, rows: number, length: number): Uint8Array {
  const cut = new Uint8Array(rows * length);
  for (let y = 0; y < rows; y++) cut.set(bytes.subarray(y * stride, y * stride + length), y * length);
  return cut;
}
