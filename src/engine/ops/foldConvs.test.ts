import { expect, test } from "vitest";
import { relativeDistance } from "../../../test/expectGradient.js";
import { type Graph, nodesOf } from "../graph/graph.js";
import { within } from "../graph/path.js";
import { constant, input, type Value } from "../graph/value.js";
import { bindInputs } from "../runtime/bindInputs.js";
import { compile } from "../runtime/compile.js";
import { nodeRuntime } from "../runtime/node.js";
import { float32, floats, type HostTensor, type Tensors } from "../tensor/hostTensor.js";
import { random } from "../tensor/random.js";
import { type Shape, size } from "../tensor/shape.js";
import { frozenBatchNorm } from "./batchNorm.js";
import { conv2d } from "./conv.js";
import { add, mul, relu, sub } from "./elementwise.js";
import { foldConvs } from "./foldConvs.js";

const runtime = nodeRuntime({ optimise: false });
const drawn = (name: string, shape: Shape, low = -1): HostTensor => {
  const { uniform } = random(name);
  return float32(
    shape,
    Array.from({ length: size(shape) }, () => low + uniform() * (1 - low)),
  );
};
const x = input("x", { dtype: "float32", shape: [2, 4, 6, 5] });
const fixed = (name: string, shape: Shape, low?: number): Value => constant(drawn(name, shape, low));
const norm = (y: Value, name: string): Value => {
  const c = [y.shape[1]!];
  const parameters = { weight: fixed(`${name} weight`, c), bias: fixed(`${name} bias`, c) };
  return frozenBatchNorm(y, parameters, {
    mean: fixed(`${name} mean`, c),
    variance: fixed(`${name} variance`, c, 0.1),
  });
};

async function run(graph: Graph): Promise<Float32Array> {
  const program = await compile(runtime, graph);
  const { y } = await program.run({ x: drawn("x", x.shape) } satisfies Tensors).finally(() => program.close());
  return floats(y, "y");
}

/** Fold, and see that it computes the same with nodes of these kinds. */
async function expectFolded(y: Value, opTypes: readonly string[]): Promise<void> {
  const plain: Graph = { outputs: { y } };
  const folded = foldConvs(await bindInputs(runtime, plain, {}));
  expect(nodesOf(folded).map(({ opType }) => opType)).toEqual(opTypes);
  expect(relativeDistance(await run(folded), await run(plain))).toBeLessThan(1e-6);
}

test("a batch norm at rest disappears into the convolution before it", () =>
  expectFolded(relu(norm(conv2d(x, fixed("w", [8, 4, 3, 3]), { padding: 1 }), "n")), ["Conv", "Relu"]));

test("so does a bias, and a batch norm behind a bias", () =>
  expectFolded(norm(conv2d(x, fixed("w", [8, 4, 1, 1]), {}, fixed("b", [8])), "n"), ["Conv"]));

test("grouped convolutions keep their groups", () =>
  expectFolded(norm(conv2d(x, fixed("w", [4, 1, 3, 3]), { groups: 4, dilation: 2, padding: 2 }), "n"), ["Conv"]));

test("a factor for each channel before a convolution disappears into it, padding or not", () =>
  expectFolded(
    norm(conv2d(mul(x, fixed("f", [1, 4, 1, 1])), fixed("w", [8, 4, 3, 3]), { padding: 1, stride: 2 }), "n"),
    ["Conv"],
  ));

test("an offset before a padded convolution does not, and neither does a sum of two images", () =>
  expectFolded(add(conv2d(sub(x, fixed("o", [1, 4, 1, 1])), fixed("w", [4, 4, 3, 3]), { padding: 1 }), x), [
    "Sub",
    "Conv",
    "Add",
  ]));

test("the folded convolution goes by the name of the convolution", async () => {
  const y = norm(
    within("encoder/conv1", () => conv2d(x, fixed("w", [8, 4, 1, 1]))),
    "n",
  );
  const [node] = nodesOf(foldConvs(await bindInputs(runtime, { outputs: { y } }, {})));
  expect(node!.path).toBe("encoder/conv1");
});
