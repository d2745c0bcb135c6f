import { expect, test } from "vitest";
import { float32, type HostTensor } from "../../engine/tensor/hostTensor.js";
import type { Param } from "../layers/scope.js";
import { Scope } from "../layers/scope.js";
import { DeepLab } from "../models/deeplab.js";
import { describeMatch } from "./describeMatch.js";
import { loadWeights, matchWeights } from "./matchWeights.js";
import type { WeightsFile } from "./weightsFile.js";

const scope = new Scope();
new DeepLab(scope, { classes: 5, width: 0.05, features: 8 });
const { params } = scope;

const first = ({ path, shape, init }: Param): HostTensor => float32(shape, init(shape, [1, path]));
const file = (tensors: readonly (readonly [string, HostTensor])[], skipped: readonly string[] = []): WeightsFile => ({
  format: "pth",
  tensors: new Map(tensors),
  skipped,
  place: [],
  metadata: {},
});
const everything = (rename = (path: string) => path) => params.map((one) => [rename(one.path), first(one)] as const);

test("every tensor of the network's own file is matched", () => {
  const { tensors, report } = loadWeights(params, file(everything()), "own.safetensors");
  expect(tensors).toEqual(Object.fromEntries(everything()));
  expect(describeMatch(report)).toEqual([`own.safetensors: ${params.length} of ${params.length} tensors loaded`]);
});

test("torchvision's names are the encoder's, its classifier is left out, and the report says so", () => {
  const trunk = everything((path) => path.replace("encoder.", ""))
    .filter(([name]) => /^(conv1|bn1|layer)/.test(name))
    .filter(([name]) => !name.startsWith("layer4"));
  const classifier = ["fc.weight", "fc.bias"].map((name) => [name, float32([1], [0])] as const);
  const weights = file([...trunk, ...classifier], ["bn1.num_batches_tracked"]);
  const { tensors, report } = loadWeights(params, weights, "resnet18.pth");
  expect(Object.keys(tensors)).toHaveLength(trunk.length);
  expect(tensors["encoder.conv1.weight"]).toBe(new Map(trunk).get("conv1.weight"));
  expect(describeMatch(report)).toEqual([
    "resnet18.pth: 75 of 152 tensors loaded",
    "  encoder. put before 75 names",
    "  encoder.layer4.* (25), decoder.* (50), segmentation_head.* (2) not in the file: keep their first values",
    "  fc.* (2) in the file, not in this network: left out",
    "  whole numbers, e.g. counters, not needed: 1",
  ]);
});

test.each(["module.", "model.", "model.module.", "_orig_mod.", "network."])(
  "a network wrapped as %s is unwrapped",
  (wrap) => {
    const { tensors, report } = loadWeights(params, file(everything((path) => wrap + path)), "x");
    expect(Object.keys(tensors)).toHaveLength(params.length);
    expect(report.renamed).toEqual([{ off: wrap, on: "", count: params.length }]);
    expect(describeMatch(report)[1]).toBe(`  ${wrap} taken off ${params.length} names`);
  },
);

test("a tensor of another shape is an error with its name and both shapes", () => {
  const other = everything().map(([name, tensor]) =>
    name.startsWith("segmentation_head")
      ? ([name, float32([19], new Float32Array(19))] as const)
      : ([name, tensor] as const),
  );
  expect(() => loadWeights(params, file(other), "city.pth")).toThrow(
    'city.pth: "segmentation_head.0.weight" is [19], wanted [5, 8, 1, 1]; "segmentation_head.0.bias" is [19], wanted [5]',
  );
  const { report, tensors } = matchWeights(params, file(other), "city.pth");
  expect(report.wrongShape.map(({ name }) => name)).toEqual(["segmentation_head.0.weight", "segmentation_head.0.bias"]);
  expect(report.missing).toEqual([]);
  expect(tensors).not.toHaveProperty("segmentation_head.0.bias");
  expect(describeMatch(report)).toContain("  segmentation_head.0.bias is [19], wanted [5]");
});

test("two tensors that mean the same parameter are refused", () => {
  const [name, tensor] = everything()[0]!;
  const twice = file([
    [name, tensor],
    [`module.${name}`, tensor],
  ]);
  expect(() => loadWeights(params, twice, "x")).toThrow(
    'x: "encoder.conv1.weight" and "module.encoder.conv1.weight" both mean "encoder.conv1.weight"',
  );
});

test("a file of another network is refused with names of both", () => {
  const attempt = () => loadWeights(params, file([["blocks.0.attention", float32([1], [0])]]), "vit.pth");
  expect(attempt).toThrow("vit.pth: holds no tensor of this network");
  expect(attempt).toThrow(
    expect.objectContaining({
      hint: expect.stringContaining('its names are like "blocks.0.attention"; the network\'s'),
    }),
  );
});

test("names cannot write to the terminal that shows the report", () => {
  const sly = file([...everything(), ["\x1b[2Jgone", float32([1], [0])]]);
  expect(describeMatch(matchWeights(params, sly, "x").report).join("\n")).not.toContain("\x1b");
});
