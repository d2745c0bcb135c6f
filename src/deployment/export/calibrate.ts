import type { Dataset } from "../../data/datasets/dataset.js";
import { evenlySpread } from "../../data/datasets/evenlySpread.js";
import { readUnlabelled } from "../../data/loader/readScaled.js";
import type { Value } from "../../engine/graph/value.js";
import { writeModel } from "../../engine/onnx/writeModel.js";
import type { Range } from "../../engine/ops/quantise.js";
import { max, min } from "../../engine/ops/reduce.js";
import type { Runtime } from "../../engine/runtime/runtime.js";
import { floats, hostTensor } from "../../engine/tensor/hostTensor.js";
import { deployedSignature } from "../../methods/parts/deployedSignature.js";

/** Images looked at, evenly spread. */
const MOST_IMAGES = 32;

/**
 * The range of some values of a deployed graph over images of a data set: the mean over images of each one's smallest and
 * largest. One odd image does not stretch the range for all; what lies outside is held to it.
 */
export async function rangesOver(
  runtime: Runtime,
  values: ReadonlySet<Value>,
  dataset: Dataset,
  height: number,
): Promise<Map<Value, Range>> {
  const named = [...values].map((value, i) => ({ value, low: `low.${i}`, high: `high.${i}` }));
  const outputs = Object.fromEntries(
    named.flatMap(({ value, low, high }) => [[low, min(value)] as const, [high, max(value)] as const]),
  );
  const open = Object.fromEntries([
    ...[...deployedSignature.inputs].map(([name, { shape }]) => [name, shape] as const),
    ...Object.keys(outputs).map((name) => [name, []] as const),
  ]);
  const program = await runtime.load(writeModel({ outputs }, { open }).bytes, {
    inputs: deployedSignature.inputs,
    outputs: new Map(Object.keys(outputs).map((name) => [name, { dtype: "float32", shape: [] }])),
  });
  const sums = new Map(named.map(({ value }) => [value, { low: 0, high: 0 }]));
  const items = evenlySpread(dataset.items, MOST_IMAGES);
  for (const item of items) {
    const { rgb, width, height: rows } = await readUnlabelled(dataset, item, height);
    const found = await program.run({ image: hostTensor("uint8", [1, rows, width, 3], rgb) });
    for (const { value, low, high } of named) {
      const sum = sums.get(value)!;
      sum.low += floats(found[low], low)[0]! / items.length;
      sum.high += floats(found[high], high)[0]! / items.length;
    }
  }
  await program.close();
  return sums;
}
