import { gradients } from "../autodiff/gradients.js";
import type { Graph } from "../graph/graph.js";
import { input, type Value } from "../graph/value.js";
import { batchNorm } from "../ops/batchNorm.js";
import { conv2d } from "../ops/conv.js";
import { enlarge } from "../ops/dynamicShape.js";
import { greater, mul, number } from "../ops/elementwise.js";
import { gather } from "../ops/gather.js";
import { maxPool } from "../ops/pool.js";
import * as reduce from "../ops/reduce.js";
import { resizeBilinear } from "../ops/resize.js";
import { countTrue, kthLargest } from "../ops/select.js";
import { transpose } from "../ops/shaping.js";
import { floats, hostTensor, int64, type Tensors } from "../tensor/hostTensor.js";
import { type Shape, size } from "../tensor/shape.js";
import { compile } from "./compile.js";
import type { Runtime } from "./runtime.js";

const image = { dtype: "float32", shape: [1, 1, 3, 3] } as const;
const filter = { dtype: "float32", shape: [1, 1, 2, 2] } as const;

/** A convolution of 1 … 9 with 1 … 4, and how half the sum of its squares changes with both: worked out by hand. */
const byHand = {
  y: [37, 47, 67, 77],
  dw: [784, 1012, 1468, 1696],
  dx: [37, 121, 94, 178, 500, 342, 201, 499, 308],
} as const;

/** Whether a runtime computes: a small convolution and its gradients. Returns the names of the results that are wrong. */
export async function selfTest(runtime: Runtime): Promise<string[]> {
  const [x, w] = [input("x", image), input("w", filter)];
  const y = conv2d(x, w);
  const [dx, dw] = gradients(mul(number(0.5), reduce.sum(mul(y, y))), [x, w]) as [typeof x, typeof w];
  const program = await compile(runtime, { outputs: { y, dw, dx } });
  try {
    const counted = (length: number): Float32Array => Float32Array.from({ length }, (_, i) => i + 1);
    const found = await program.run({
      x: hostTensor("float32", image.shape, counted(9)),
      w: hostTensor("float32", filter.shape, counted(4)),
    });
    return (Object.keys(byHand) as (keyof typeof byHand)[]).filter((name) => {
      const values = floats(found[name], name);
      return byHand[name].some((wanted, i) => Math.abs(values[i]! - wanted) > 1e-3);
    });
  } finally {
    await program.close();
  }
}

/** Relative difference from the CPU that is rounding: float32, sums in another order. */
const ROUNDING = 1e-3;

const float = (name: string, ...shape: number[]): Value => input(name, { dtype: "float32", shape });
const images = float("images", 2, 8, 12, 16);
const dense = float("dense", 4, 8, 3, 3);
const depthwise = float("depthwise", 8, 1, 3, 3);
const factors = float("factors", 8);
const rows = input("rows", { dtype: "int64", shape: [3] });

/** How the sum of cubes changes with each of some inputs; that of squares stays the same where a batch is normalised. */
function slopes(y: Value, inputs: readonly Value[]): Record<string, Value> {
  const found = gradients(reduce.sum(mul(y, mul(y, y))), inputs);
  return Object.fromEntries(found.map((slope, i) => [`gradient ${i + 1}`, slope!]));
}

/** An op and its gradients. */
const both = (y: Value, ...inputs: Value[]): Record<string, Value> => ({ value: y, ...slopes(y, inputs) });

function cases(): Record<string, Record<string, Value>> {
  const { y, batch } = batchNorm(images, { weight: factors, bias: factors });
  const among = greater(images, mul(images, images));
  return {
    "strided convolution": both(conv2d(images, dense, { stride: 2, padding: 1 }), images, dense),
    "dilated convolution": { value: conv2d(images, dense, { padding: 2, dilation: 2 }) },
    "depthwise convolution": { value: conv2d(images, depthwise, { padding: 1, groups: 8 }) },
    "batch norm": { ...both(y, images), mean: batch.mean, variance: batch.variance },
    "max pool": both(maxPool(images, { kernel: 3, stride: 2, padding: 1 }), images),
    resize: { value: resizeBilinear(images, [24, 48], "corners"), ...enlarged() },
    reduction: { sum: reduce.sum(images, [0, 2, 3]), largest: reduce.max(images, [1]), all: reduce.mean(images) },
    softmax: { value: reduce.softmax(images, 1) },
    "top-k": { value: kthLargest(images, among, countTrue(among), -9) },
    gather: both(gather(images, rows, 1), images),
  };
}

/** Resizing as an exported model spells it, either way round. */
const enlarged = (): Record<string, Value> => ({
  enlarged: enlarge(images, 2, 2, "corners"),
  "channels last": enlarge(transpose(images, [0, 2, 3, 1]), 1, 2, "corners"),
});

/** Numbers without a pattern that a wrong stride or a lost border could hide in; no two alike. */
function feeds(): Tensors {
  const spread = (shape: Shape, times: number) =>
    hostTensor(
      "float32",
      shape,
      Float32Array.from({ length: size(shape) }, (_, i) => ((i * times) % 8191) / 4096 - 1),
    );
  return {
    images: spread(images.shape, 3571),
    dense: spread(dense.shape, 1657),
    depthwise: spread(depthwise.shape, 2741),
    factors: spread(factors.shape, 1009),
    rows: int64(rows.shape, [6, 1, 6]),
  };
}

/** Names of ops that a device computes otherwise than the CPU does, themselves or their gradients. */
export async function deviceTest(runtime: Runtime, cpu: Runtime): Promise<string[]> {
  const ops = Object.entries(cases());
  const named = ops.flatMap(([op, outputs]) =>
    Object.entries(outputs).map(([what, y]) => [`${op}: ${what}`, y] as const),
  );
  const graph: Graph = { outputs: Object.fromEntries(named) };
  const run = async (one: Runtime): Promise<Tensors> => {
    const program = await compile(one, graph);
    return program.run(feeds()).finally(() => program.close());
  };
  const [wanted, found] = [await run(cpu), await run(runtime)];
  const isWrong = (name: string): boolean => !(distance(found[name]!.data, wanted[name]!.data) < ROUNDING);
  return ops.flatMap(([op, outputs]) => (Object.keys(outputs).some((what) => isWrong(`${op}: ${what}`)) ? [op] : []));
}

/** Length of the difference in lengths of what was wanted. */
function distance(found: ArrayLike<number | bigint>, wanted: ArrayLike<number | bigint>): number {
  let [difference, length] = [0, 0];
  for (let i = 0; i < wanted.length; i++) {
    difference += (Number(found[i]) - Number(wanted[i])) ** 2;
    length += Number(wanted[i]) ** 2;
  }
  return Math.sqrt(difference / length);
}
