import { classesOf } from "../data/datasets/classesOf.js";
import type { Dataset } from "../data/datasets/dataset.js";
import { imagesTensor, labelsTensor } from "../data/images/tensors.js";
import { UNKNOWN_LABEL, VOID_LABEL } from "../data/labels/labelSpace.js";
import { readScaled } from "../data/loader/readScaled.js";
import { input, type Value } from "../engine/graph/value.js";
import { compile } from "../engine/runtime/compile.js";
import { ProgramCache } from "../engine/runtime/programCache.js";
import type { Program, Runtime } from "../engine/runtime/runtime.js";
import type { HostTensor, Tensors } from "../engine/tensor/hostTensor.js";
import { type LabelRule, labelCells, thingsAmong } from "../methods/gamma-ssl/labelCells.js";
import type { FitContext, FitPass, Fitted } from "../methods/parts/fitting.js";
import type { OnePassMethod } from "../methods/parts/method.js";
import { MULTIPLE } from "../networks/models/anySize.js";
import { DECODER_STRIDE } from "../networks/models/deeplab.js";
import type { InferenceNetwork } from "../runs/inferenceNetwork.js";

export interface FitOptions {
  readonly runtime: Runtime;
  readonly network: InferenceNetwork;
  /** Labelled images to learn from. */
  readonly dataset: Dataset;
  readonly onProgress?: (what: string, done: number, total: number) => void;
}

/**
 * Fit methods on labelled images: plain images, the network in inference mode. All of them see an image in the same pass
 * through the network, and as often as the one with the most passes needs.
 */
export async function fitOnSource(
  { runtime, network, dataset, onProgress }: FitOptions,
  methods: readonly OnePassMethod[],
): Promise<Map<string, Fitted>> {
  const classes = classesOf(dataset);
  const { head, config } = network;
  const context: FitContext = { classes, features: head.weight.shape[1]!, head, seed: config.seed };
  const fittings = methods.flatMap((method) => {
    const fitting = method.fit?.(context);
    return fitting === undefined ? [] : [{ name: method.name, fitting }];
  });
  for (let round = 1; ; round++) {
    const passes = new Map<string, FitPass>();
    for (const { name, fitting } of fittings) {
      const pass = fitting.next();
      if (pass !== null) passes.set(name, pass);
    }
    if (passes.size === 0) break;
    const programs = new FitPrograms(runtime, network, passes, classes);
    for (const [index, item] of dataset.items.entries()) {
      const { rgb, labels, width, height } = await readScaled(dataset, item, network.config.view.height);
      const measured = await programs.run(withKnown({ rgb, labels: labels!, width, height }));
      for (const [name, pass] of passes) pass.add(partOf(measured, name));
      onProgress?.(round === 1 ? "learning from" : `learning (pass ${round}) from`, index + 1, dataset.items.length);
    }
    await programs.close();
  }
  return new Map(fittings.map(({ name, fitting }) => [name, fitting.finish()]));
}

/** One program for each size of image, in which the fit passes of all methods share a forward pass. */
class FitPrograms {
  readonly #runtime: Runtime;
  readonly #network: InferenceNetwork;
  readonly #passes: ReadonlyMap<string, FitPass>;
  readonly #classes: readonly string[];
  readonly #programs = new ProgramCache();

  constructor(
    runtime: Runtime,
    network: InferenceNetwork,
    passes: ReadonlyMap<string, FitPass>,
    classes: readonly string[],
  ) {
    this.#runtime = runtime;
    this.#network = network;
    this.#passes = passes;
    this.#classes = classes;
  }

  run({ images, labels }: Labelled): Promise<Tensors> {
    return this.#programs.run(
      images.shape.join("x"),
      () => this.#compile(images, labels),
      () => ({ ...this.#network.weights, images, labels }),
    );
  }

  close(): Promise<void> {
    return this.#programs.close();
  }

  #compile({ shape }: HostTensor, truth: HostTensor): Promise<Program> {
    const images = input("images", { dtype: "float32", shape });
    const labels = input("labels", { dtype: "int64", shape: truth.shape });
    const cells = labelCells(labels, {
      classes: this.#classes.length,
      side: DECODER_STRIDE,
      rule: cellRule(this.#network),
      things: thingsAmong(this.#classes),
    });
    const labelled = { ...this.#network.forward(images), labels, cells };
    const outputs: Record<string, Value> = {};
    for (const [name, pass] of this.#passes)
      for (const [part, value] of Object.entries(pass.measure(labelled))) outputs[`${name}/${part}`] = value;
    return compile(this.#runtime, { outputs });
  }
}

/** How labels are brought to the size of the features: for baselines as for prototypes (P-2). */
const cellRule = ({ config }: InferenceNetwork): LabelRule =>
  config.method === "gamma-ssl" ? config.options.prototypes.labels : "weighted-mode";

/** What a pass asked for, by its own names. */
function partOf(measured: Tensors, name: string): Tensors {
  const start = `${name}/`;
  return Object.fromEntries(
    Object.entries(measured).flatMap(([key, tensor]) =>
      key.startsWith(start) ? [[key.slice(start.length), tensor] as const] : [],
    ),
  );
}

interface Labelled {
  readonly images: HostTensor;
  readonly labels: HostTensor;
}

/**
 * An image cut at its right and lower edge to what the network takes, rather than padded: made-up pixels have no class. What is
 * no class of ours is as good as unlabelled.
 */
function withKnown(image: { rgb: Uint8Array; labels: Uint8Array; width: number; height: number }): Labelled {
  const { rgb, labels, width, height } = image;
  const [h, w] = [height, width].map((extent) => extent - (extent % MULTIPLE)) as [number, number];
  const known = corner(labels, width, h, w).map((label) => (label === UNKNOWN_LABEL ? VOID_LABEL : label));
  return {
    images: imagesTensor([{ rgb: corner(rgb, width * 3, h, w * 3), width: w, height: h }]),
    labels: labelsTensor([known], [h, w]),
  };
}

/** The first `length` bytes of the first rows. */
function corner(bytes: Uint8Array, stride: number, rows: number, length: number): Uint8Array {
  const cut = new Uint8Array(rows * length);
  for (let y = 0; y < rows; y++) cut.set(bytes.subarray(y * stride, y * stride + length), y * length);
  return cut;
}
