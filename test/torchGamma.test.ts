import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { gradients } from "../src/engine/autodiff/gradients.js";
import { inputsOf } from "../src/engine/graph/graph.js";
import type { Value } from "../src/engine/graph/value.js";
import { add, scale } from "../src/engine/ops/elementwise.js";
import { float32, floats, type HostTensor, hostTensor, type Tensors } from "../src/engine/tensor/hostTensor.js";
import { interpolation } from "../src/engine/tensor/interpolation.js";
import { readSafetensors } from "../src/engine/tensor/safetensors.js";
import { type GammaOptions, type LossName, paper, small } from "../src/methods/gamma-ssl/options.js";
import { buildStage } from "../src/methods/gamma-ssl/step.js";
import { evaluateOnce, relativeDistance } from "./expectGradient.js";
import { keyedLabels, keyedUint32, keyedUniform } from "./fixtures/torch/keyed.js";

/** A step of the second stage in PyTorch, double precision; fixtures/torch/README.md says how it was recorded. */
interface Recorded {
  readonly classes: readonly string[];
  /** Classes below this occur in labelled batches; this one is in the history; those above were never seen. */
  readonly present: number;
  readonly width: number;
  readonly features: number;
  readonly shape: readonly [number, number, number, number];
  readonly labelBlock: number;
  readonly strange: number;
  readonly invalid: { readonly sample: number; readonly columns: number };
  readonly boxes: Readonly<Record<"first" | "second", readonly (readonly [number, number, number, number])[]>>;
  readonly variants: Readonly<Record<"paper" | "small", Variant>>;
}
interface Uniform {
  readonly name: string;
  readonly shape: readonly number[];
  readonly low: number;
  readonly high: number;
}
interface Variant {
  readonly parameters: readonly Uniform[];
  readonly buffers: readonly Uniform[];
  readonly weights: Readonly<Partial<Record<LossName, number>>>;
  readonly key: number;
  readonly losses: Readonly<Partial<Record<LossName, number>>>;
  readonly measures: Readonly<Record<string, number>>;
}

const folder = new URL("fixtures/torch/", import.meta.url);
const recorded: Recorded = JSON.parse(readFileSync(new URL("gamma.json", folder), "utf8"));
const { tensors } = readSafetensors(readFileSync(new URL("gamma.safetensors", folder)), "gamma.safetensors");
const [n, , height, width] = recorded.shape;

/** Enlarge fourfold, cut a stretch, enlarge that to full size: one matrix [pixels, cells], as the loader makes it. */
function matrix(pixels: number, start: number, length: number): number[] {
  const cells = pixels / 4;
  const [cut, enlarge] = [
    interpolation(pixels, pixels, "corners", { start, length }).data,
    interpolation(cells, pixels, "corners").data,
  ].map((data) => Array.from(data, Number));
  return Array.from({ length: pixels * cells }, (_, i) => {
    const [row, column] = [Math.floor(i / cells), i % cells];
    return Array.from(
      { length: pixels },
      (_unused, k) => cut![row * pixels + k]! * enlarge![k * cells + column]!,
    ).reduce((a, b) => a + b);
  });
}

function batchOf(key: number): Tensors {
  const images = (name: string): HostTensor =>
    float32(recorded.shape, keyedUniform(`${name}/${key}`, recorded.shape, -2, 2));
  const labels = (name: string): HostTensor =>
    hostTensor(
      "int64",
      [n, height, width],
      keyedLabels(name, [n, height, width], { classes: recorded.present, block: recorded.labelBlock }),
    );
  const stacked = (view: "first" | "second", axis: "rows" | "columns"): HostTensor => {
    const pixels = axis === "rows" ? height : width;
    const all = recorded.boxes[view].flatMap(([top, left, boxHeight, boxWidth]) =>
      axis === "rows" ? matrix(pixels, top, boxHeight) : matrix(pixels, left, boxWidth),
    );
    return float32([n, pixels, pixels / 4], all);
  };
  const { sample, columns } = recorded.invalid;
  const isValid = (i: number): boolean => Math.floor(i / (height * width)) !== sample || i % width < width - columns;
  return {
    "source.images": images("source.images"),
    "source.labels": labels("source.labels"),
    "prototype.images": images("prototype.images"),
    "prototype.labels": labels("prototype.labels"),
    "target.first": images("target.first"),
    "target.second": images("target.second"),
    "target.first.rows": stacked("first", "rows"),
    "target.first.columns": stacked("first", "columns"),
    "target.second.rows": stacked("second", "rows"),
    "target.second.columns": stacked("second", "columns"),
    "target.valid": float32(
      [n, height, width],
      Float32Array.from({ length: n * height * width }, (_, i) => Number(isValid(i))),
    ),
  };
}

/** The network's weights, and the teacher's. Most of the latter is the network's: unrelated weights would agree on no pixel. */
function weightsOf({ parameters, buffers }: Variant): Tensors {
  const drawn = [...parameters, ...buffers].flatMap(({ name, shape, low, high }) => {
    const own = keyedUniform(name, shape, low, high);
    const other = keyedUniform(`teacher.${name}`, shape, low, high);
    const { strange } = recorded;
    const mixed = own.map((value, i) => (1 - strange) * value + strange * other[i]!);
    return [
      [name, float32(shape, own)],
      [`teacher.${name}`, float32(shape, mixed)],
    ] as const;
  });
  return Object.fromEntries(drawn);
}

/** One remembered column of length 1, zeros elsewhere. */
function history(): HostTensor {
  const column = keyedUniform("history", [recorded.features], -1, 1);
  const length = Math.hypot(...column);
  const classes = recorded.classes.length;
  const values = Array.from({ length: recorded.features * classes }, (_, i) =>
    i % classes === recorded.present ? column[Math.floor(i / classes)]! / length : 0,
  );
  return float32([recorded.features, classes], values);
}

const shrunk = (options: GammaOptions): GammaOptions => ({
  ...options,
  network: { ...options.network, width: recorded.width, features: recorded.features, asppDropout: 0 },
  batch: { source: n, prototype: n, target: n },
});

/** How far found tensors are from recorded samples of them, the worst of all, in recorded lengths. */
function worstRow(found: (name: string) => Float32Array, names: readonly string[], key: string): number {
  const samples = floats(tensors[`${key}/samples`], key);
  const norms = floats(tensors[`${key}/norm`], key);
  const errors = names.map((name, row) => {
    const values = found(name);
    const wanted = samples.subarray(row * 64, (row + 1) * 64);
    const ours = Float32Array.from(keyedUint32(`sample/${name}`, 64), (pick) => values[pick % values.length]!);
    return Math.max(relativeDistance(ours, wanted), Math.abs(Math.hypot(...values) - norms[row]!) / norms[row]!);
  });
  return Math.max(...errors);
}

describe.each([
  ["paper", paper],
  ["small", small],
] as const)("a step of the second stage agrees with PyTorch, profile %s:", (name, options) => {
  const variant = recorded.variants[name];
  const built = buildStage({
    options: shrunk(options),
    classes: recorded.classes,
    crop: [height, width],
    stage: "adaptation",
  });
  const { network, losses, measures, gathered } = built;
  const trained = network.params.filter((param) => param.trained);
  const named = Object.entries(losses) as [LossName, Value][];
  const total = named
    .map(([key, loss]) => scale(loss, variant.weights[key]!))
    .reduce((sum, weighted) => add(sum, weighted));
  const grads = gradients(
    total,
    trained.map((param) => param.value),
  );
  const outputs = {
    ...Object.fromEntries(named.map(([key, loss]) => [`loss.${key}`, loss])),
    ...measures,
    ...Object.fromEntries(trained.map((param, i) => [`d.${param.path}`, grads[i]!])),
    ...Object.fromEntries([...gathered].map(([param, next]) => [`next.${param.path}`, next])),
  };
  const known: Tensors = {
    ...weightsOf(variant),
    ...batchOf(variant.key),
    "history.prototypes": history(),
  };
  const feeds = Object.fromEntries([...inputsOf({ outputs }).keys()].map((key) => [key, known[key]!]));
  const found = evaluateOnce(outputs, feeds);

  test("parameters have the names and shapes of the recording", () => {
    expect(trained.map(({ path, shape }) => [path, shape])).toEqual(
      variant.parameters.map((one) => [one.name, one.shape]),
    );
  });

  test("losses to 1e-4, γ and the shares of certain and consistent pixels to 1e-5", async () => {
    const results = await found;
    expect(named.map(([key]) => key).sort()).toEqual(Object.keys(variant.losses).sort());
    for (const [key, wanted] of Object.entries(variant.losses)) {
      const loss = floats(results[`loss.${key}`], key)[0]!;
      expect(Math.abs(loss - wanted) / Math.max(1, Math.abs(wanted)), key).toBeLessThan(1e-4);
    }
    expect(variant.measures.consistent).toBeGreaterThan(0.2); // else there is little to agree on
    for (const [key, wanted] of Object.entries(variant.measures)) {
      expect(Math.abs(floats(results[key], key)[0]! - wanted), key).toBeLessThan(1e-5);
    }
  });

  test("every gradient to 1e-3", async () => {
    const results = await found;
    const of = (path: string): Float32Array => floats(results[`d.${path}`], path);
    const names = variant.parameters.map((one) => one.name);
    expect(worstRow(of, names, `${name}/gradients`)).toBeLessThan(1e-3);
  });

  test("the remembered prototypes and the moved statistics to 1e-4", async () => {
    const results = await found;
    const prototypes = floats(results["next.history.prototypes"], "history");
    expect(relativeDistance(prototypes, floats(tensors[`${name}/history`], "history"))).toBeLessThan(1e-4);
    const of = (path: string): Float32Array => floats(results[`next.${path}`], path);
    const names = variant.buffers.map((one) => one.name);
    expect(worstRow(of, names, `${name}/running`)).toBeLessThan(1e-4);
  });
});
