import { gradients } from "../autodiff/gradients.js";
import { input } from "../graph/value.js";
import { conv2d } from "../ops/conv.js";
import { mul, number } from "../ops/elementwise.js";
import { sum } from "../ops/reduce.js";
import { floats, hostTensor } from "../tensor/hostTensor.js";
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
  const [dx, dw] = gradients(mul(number(0.5), sum(mul(y, y))), [x, w]) as [typeof x, typeof w];
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
