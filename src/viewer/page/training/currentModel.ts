import { imagesTensor, labelsTensor } from "../../../data/images/tensors.js";
import { UNKNOWN_LABEL, VOID_LABEL } from "../../../data/labels/labelSpace.js";
import type { ScaledImage } from "../../../data/loader/imageCache.js";
import { input, type Value } from "../../../engine/graph/value.js";
import { cast } from "../../../engine/ops/elementwise.js";
import { compile } from "../../../engine/runtime/compile.js";
import type { Program, Runtime } from "../../../engine/runtime/runtime.js";
import { floats, type HostTensor, type Tensors } from "../../../engine/tensor/hostTensor.js";
import { DatasetPrototypes } from "../../../methods/gamma-ssl/datasetPrototypes.js";
import { labelCells, thingsAmong } from "../../../methods/gamma-ssl/labelCells.js";
import { GammaNetwork } from "../../../methods/gamma-ssl/network.js";
import { prototypeScore } from "../../../methods/gamma-ssl/prototypeMethod.js";
import { classSums } from "../../../methods/gamma-ssl/prototypes.js";
import { viewPixels } from "../../../methods/gamma-ssl/viewPixels.js";
import { networkOutputs } from "../../../methods/parts/networkOutputs.js";
import { auroc } from "../../../metrics/areas.js";
import { thresholdForPixels } from "../../../metrics/matchedThreshold.js";
import { pixelsOf } from "../../../metrics/sketch.js";
import { SketchBuilder } from "../../../metrics/sketchSet.js";
import { judge, RIGHT } from "../../../metrics/verdict.js";
import { fastInferencePass } from "../../../networks/layers/pass.js";
import { Scope } from "../../../networks/layers/scope.js";
import { DECODER_STRIDE } from "../../../networks/models/deeplab.js";
import { invariant } from "../../../platform/errors.js";
import type { GammaConfig } from "../../../runs/config.js";

export interface ModelImages {
  /** Labelled, of the source: prototypes are made of them. */
  readonly source: readonly ScaledImage[];
  /** Pairs of views of the target, as a batch of the loader: how much is consistent in them decides γ. No labels. */
  readonly pairs: { readonly feeds: Tensors; readonly count: number };
  /** Of the target. Their labels are for measuring alone. */
  readonly test: readonly ScaledImage[];
}

/** What the model says of the test images, and how much of that is right. */
export interface Snapshot {
  readonly gamma: number;
  /** Shares of all pixels of the test images. */
  readonly certain: number;
  readonly accuracy: number;
  /** Share of the certain pixels that is right. */
  readonly certainAccuracy: number;
  /** The chance that a wrong pixel is less certain than a right one; null where nothing, or everything, is wrong. */
  readonly auroc: number | null;
  readonly maps: readonly AnsweredImage[];
}

export interface AnsweredImage {
  readonly classes: Uint8Array;
  /** Certain from γ on. */
  readonly score: Float32Array;
  /** Shares of its pixels. */
  readonly certain: number;
  readonly accuracy: number;
}

/** Images in one run of a program. */
const AT_ONCE = 4;

/**
 * The network in training as the model that an export would make of it now: prototypes of source images, and γ solved so that as many
 * pixels of whole images are certain as are consistent between views (`finalGamma`, docs/method.md). Its programs take the weights as inputs.
 */
export class CurrentModel {
  readonly #images: ModelImages;
  readonly #classes: number;
  readonly #features: number;
  readonly #programs: Programs;

  private constructor(images: ModelImages, shape: { classes: number; features: number }, programs: Programs) {
    this.#images = images;
    this.#classes = shape.classes;
    this.#features = shape.features;
    this.#programs = programs;
  }

  static async open(
    runtime: Runtime,
    { options, view }: Pick<GammaConfig, "options" | "view">,
    classes: readonly string[],
    images: ModelImages,
  ): Promise<CurrentModel> {
    const network = new GammaNetwork(new Scope(), { ...options.network, classes: classes.length });
    const { width, height } = images.test[0]!;
    const pixels = input("images", { dtype: "float32", shape: [AT_ONCE, 3, height, width] });
    const labels = input("labels", { dtype: "int64", shape: [AT_ONCE, height, width] });
    const prototypes = input("prototypes", { dtype: "float32", shape: [network.channels, classes.length] });
    const features = network.features(pixels, fastInferencePass);
    const cells = labelCells(labels, {
      classes: classes.length,
      side: DECODER_STRIDE,
      rule: options.prototypes.labels,
      things: thingsAmong(classes),
    });
    const { sums } = classSums(network.project(features, fastInferencePass), cells, classes.length);
    const outputs = networkOutputs({ features, logits: network.head(features, fastInferencePass) });
    const { predicted, uncertainty } = prototypeScore(network, prototypes, options)(outputs);
    const { consistent, valid } = viewPixels(network, prototypes, options, {
      images: images.pairs.count,
      crop: view.crop,
    });
    const byte = (x: Value): Value => cast(x, "uint8");
    return new CurrentModel(
      images,
      { classes: classes.length, features: network.channels },
      {
        sums: await compile(runtime, { outputs: { sums } }),
        answers: await compile(runtime, { outputs: { predicted: byte(predicted), uncertainty } }),
        pairs: await compile(runtime, { outputs: { consistent: byte(consistent), valid: byte(valid) } }),
      },
    );
  }

  async measure(weights: Tensors): Promise<Snapshot> {
    const prototypes = await this.#prototypes(weights);
    const consistent = await this.#consistent({ ...weights, prototypes });
    const answers = await this.#answers({ ...weights, prototypes });
    const sketches = new SketchBuilder();
    const verdicts = answers.map(({ classes, uncertainty }, i) => {
      const meaning = { classes: this.#classes, unknown: [UNKNOWN_LABEL], void: [VOID_LABEL] };
      const verdict = judge(`test image ${i}`, this.#images.test[i]!.labels!, classes, meaning);
      sketches.add(String(i), uncertainty, verdict);
      return verdict;
    });
    const { total } = sketches.finish();
    const pixels = pixelsOf(total);
    const gamma = Math.fround(1 - thresholdForPixels(total, consistent * pixels)!);
    let [certain, both] = [0, 0];
    const maps = answers.map(({ classes, uncertainty }, i): AnsweredImage => {
      const score = uncertainty.map((u) => 1 - u);
      let [sure, right, sureAndRight] = [0, 0, 0];
      for (const [at, s] of score.entries()) {
        const [isSure, isRight] = [Number(s >= gamma), Number(verdicts[i]![at] === RIGHT)];
        sure += isSure;
        right += isRight;
        sureAndRight += isSure * isRight;
      }
      certain += sure;
      both += sureAndRight;
      return { classes, score, certain: sure / score.length, accuracy: right / score.length };
    });
    return {
      gamma,
      certain: certain / pixels,
      accuracy: total.rights / pixels,
      certainAccuracy: both / certain,
      auroc: auroc(total).value,
      maps,
    };
  }

  async close(): Promise<void> {
    for (const program of Object.values(this.#programs)) await program.close();
  }

  async #prototypes(weights: Tensors): Promise<HostTensor> {
    const found = new DatasetPrototypes({ features: this.#features, classes: this.#classes, batch: null });
    for (const images of inGroups(this.#images.source)) {
      const { width, height } = images[0]!;
      const known = images.map(({ labels }) => labels!.map((label) => (label === UNKNOWN_LABEL ? VOID_LABEL : label)));
      const feeds = { images: imagesTensor(images), labels: labelsTensor(known, [height, width]) };
      found.add((await this.#programs.sums.run({ ...weights, ...feeds })).sums!);
    }
    return found.finish();
  }

  /** The share of pixels that both views see and agree on. */
  async #consistent(feeds: Tensors): Promise<number> {
    const { consistent, valid } = await this.#programs.pairs.run({ ...feeds, ...this.#images.pairs.feeds });
    let [seen, agreed] = [0, 0];
    for (const [i, one] of (valid!.data as Uint8Array).entries()) {
      seen += one;
      agreed += one * Number(consistent!.data[i]);
    }
    return agreed / seen;
  }

  async #answers(feeds: Tensors): Promise<{ classes: Uint8Array; uncertainty: Float32Array }[]> {
    const answers: { classes: Uint8Array; uncertainty: Float32Array }[] = [];
    for (const images of inGroups(this.#images.test)) {
      const found = await this.#programs.answers.run({ ...feeds, images: imagesTensor(images) });
      const [classes, uncertainty] = [found.predicted!.data as Uint8Array, floats(found.uncertainty, "uncertainty")];
      const pixels = classes.length / AT_ONCE;
      for (let i = 0; i < AT_ONCE; i++) {
        const span = [i * pixels, (i + 1) * pixels] as const;
        answers.push({ classes: classes.slice(...span), uncertainty: uncertainty.slice(...span) });
      }
    }
    return answers;
  }
}

type Programs = { readonly sums: Program; readonly answers: Program; readonly pairs: Program };

function* inGroups(images: readonly ScaledImage[]): Generator<readonly ScaledImage[]> {
  invariant(images.length % AT_ONCE === 0, `${images.length} images, wanted a multiple of ${AT_ONCE}`);
  for (let i = 0; i < images.length; i += AT_ONCE) yield images.slice(i, i + AT_ONCE);
}
