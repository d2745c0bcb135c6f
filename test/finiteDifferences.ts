import { gradients } from "../src/engine/autodiff/gradients.js";
import { constant, input, type Value } from "../src/engine/graph/value.js";
import { mul } from "../src/engine/ops/elementwise.js";
import { sum } from "../src/engine/ops/reduce.js";
import { float32, floats, type HostTensor, type Tensors } from "../src/engine/tensor/hostTensor.js";
import { random } from "../src/engine/tensor/random.js";
import { size } from "../src/engine/tensor/shape.js";

/** Runs a graph once: the checker knows no runtime. */
export type Evaluate = (outputs: Readonly<Record<string, Value>>) => Promise<(feeds: Tensors) => Promise<Tensors>>;

/** The largest disagreement found: what our gradient says of one direction, and what moving along it did. */
export interface Disagreement {
  readonly input: number;
  readonly direction: string;
  readonly gradient: number;
  readonly measured: number;
  /** Relative to the sum of magnitudes that went into the gradient. */
  readonly error: number;
}

/** Random directions tried for each input, besides the single elements of a small one. */
const DIRECTIONS = 4;
const SMALL = 12;
/** Gradients below this are compared as absolute numbers: values are of order one, and rounding shows. */
const FLOOR = 1e-2;

/**
 * Compare gradients with what happens when inputs are moved a little.
 *
 * The output is weighted by random numbers and summed in double precision outside the graph, so only the op's own
 * rounding is left in the comparison.
 */
export async function worstDisagreement(
  build: (...inputs: Value[]) => Value,
  at: readonly HostTensor[],
  evaluate: Evaluate,
  step = 1e-2,
): Promise<Disagreement> {
  const inputs = at.map(({ dtype, shape }, i) => input(`x${i}`, { dtype, shape }));
  const y = build(...inputs);
  const weigh = random("weights");
  const weights = Float32Array.from({ length: size(y.shape) }, () => weigh.uniform() * 2 - 1);
  const moving = inputs.filter((x) => x.type.dtype === "float32");
  const grads = gradients(sum(mul(y, constant(float32(y.shape, weights)))), moving);
  const run = await evaluate({ y, ...Object.fromEntries(grads.map((grad, i) => [`dx${i}`, grad])) });
  const feeds = Object.fromEntries(at.map((tensor, i) => [`x${i}`, tensor]));
  const found = await run(feeds);

  const weighted = async (moved: Tensors): Promise<number> => {
    const values = floats((await run({ ...feeds, ...moved })).y, "y");
    return values.reduce((total, value, i) => total + value * weights[i]!, 0);
  };
  let worst: Disagreement = { input: -1, direction: "none", gradient: 0, measured: 0, error: 0 };
  for (const [i, x] of moving.entries()) {
    const name = "input" in x.origin ? x.origin.input : "";
    const start = floats(feeds[name], name);
    const gradient = floats(found[`dx${i}`], `dx${i}`);
    // An element with a small gradient is judged against the typical one: float32 cannot do better.
    const typical = Math.hypot(...gradient) / Math.sqrt(gradient.length);
    for (const { label, direction } of directions(start.length)) {
      const move = (by: number): HostTensor =>
        float32(
          x.shape,
          start.map((value, k) => value + by * direction[k]!),
        );
      const rise = (await weighted({ [name]: move(step) })) - (await weighted({ [name]: move(-step) }));
      const measured = rise / (2 * step);
      const expected = gradient.reduce((total, slope, k) => total + slope * direction[k]!, 0);
      const magnitude = gradient.reduce((total, slope, k) => total + Math.abs(slope * direction[k]!), 0);
      const error = Math.abs(measured - expected) / Math.max(magnitude, typical, FLOOR);
      if (!(error <= worst.error)) worst = { input: i, direction: label, gradient: expected, measured, error };
    }
  }
  return worst;
}

function directions(count: number): { label: string; direction: Float32Array }[] {
  const single = Array.from({ length: count <= SMALL ? count : 0 }, (_, k) => ({
    label: `element ${k}`,
    direction: Float32Array.from({ length: count }, (_unused, i) => (i === k ? 1 : 0)),
  }));
  const mixed = Array.from({ length: DIRECTIONS }, (_, k) => {
    const draw = random("direction", k);
    return {
      label: `random ${k}`,
      direction: Float32Array.from({ length: count }, () => (draw.uniform() < 0.5 ? -1 : 1)),
    };
  });
  return [...single, ...mixed];
}
