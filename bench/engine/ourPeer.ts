import { createInterface } from "node:readline";
import { gradients } from "../../src/engine/autodiff/gradients.js";
import type { Graph } from "../../src/engine/graph/graph.js";
import { nodesOf } from "../../src/engine/graph/graph.js";
import { input } from "../../src/engine/graph/value.js";
import { mul } from "../../src/engine/ops/elementwise.js";
import { sum } from "../../src/engine/ops/reduce.js";
import { compile } from "../../src/engine/runtime/compile.js";
import { nodeRuntime } from "../../src/engine/runtime/node.js";
import { float32, floats, type HostTensor, hostTensor, type Tensors } from "../../src/engine/tensor/hostTensor.js";
import { PassRecorder } from "../../src/networks/layers/pass.js";
import { type Param, Scope } from "../../src/networks/layers/scope.js";
import { crossEntropy } from "../../src/networks/losses/crossEntropy.js";
import { DeepLab, upsampleScores } from "../../src/networks/models/deeplab.js";
import { adamW, sgd } from "../../src/networks/optim/optimiser.js";
import { Stepper } from "../../src/networks/optim/stepper.js";
import { type TrainStep, trainStep } from "../../src/networks/optim/trainStep.js";
import { keyedLabels, keyedUniform } from "../../test/fixtures/torch/keyed.js";
import { type OpCase, ourOps } from "./ops.js";

/** The same commands as torch_peer.py, answered by our engine; `init` also says how long the session took to make. */
interface Init {
  readonly threads: number;
  readonly batch: number;
  readonly height: number;
  readonly width: number;
  readonly classes: number;
  readonly optimizer: "sgd" | "adamw";
  readonly profile?: string;
  /** Where to compute, taken as it is; and what multiplies the encoder's channels. */
  readonly device?: string;
  readonly multiplier?: number;
}

/** As in the fixtures' optimizers.py. */
const optimisers = {
  sgd: { make: sgd({ momentum: 0.9 }), learningRate: 0.01, weightDecay: 0 },
  adamw: { make: adamW(), learningRate: 5e-4, weightDecay: 0.01 },
};

/** A parameter as the fixtures' keyed_init fills it. */
function keyedStart({ path, shape }: Param): HostTensor {
  const fanIn = shape.slice(1).reduce((a, b) => a * b, 1);
  const bound = shape.length > 1 ? Math.sqrt(6 / fanIn) : 0.1;
  const isScale = path.endsWith("running_var") || (shape.length === 1 && path.endsWith(".weight"));
  const [low, high] = isScale ? [0.8, 1.2] : [-bound, bound];
  return float32(shape, keyedUniform(path, shape, low, high));
}

function buildStep({ batch, height, width, classes, optimizer, multiplier = 1 }: Init): {
  step: TrainStep;
  start: Tensors;
} {
  const scope = new Scope();
  const network = new DeepLab(scope, { classes, asppDropout: 0, width: multiplier });
  const images = input("images", { dtype: "float32", shape: [batch, 3, height, width] });
  const labels = input("labels", { dtype: "int64", shape: [batch, height, width] });
  const recorder = new PassRecorder();
  const pass = recorder.pass();
  const loss = crossEntropy(upsampleScores(network.head(network.features(images, pass), pass)), labels);
  const { make, weightDecay } = optimisers[optimizer];
  const step = trainStep({
    loss,
    params: scope.params,
    optimiser: make,
    gathered: recorder.updates,
    group: ({ shape }) => ({ weightDecay: shape.length > 1 ? weightDecay : 0, learningRateFactor: 1 }),
  });
  return { step, start: Object.fromEntries(scope.params.map((param) => [param.path, keyedStart(param)])) };
}

class Training {
  readonly #stepper: Stepper;
  readonly #feeds: Tensors;
  readonly #learningRate: number;

  private constructor(stepper: Stepper, feeds: Tensors, learningRate: number) {
    this.#stepper = stepper;
    this.#feeds = feeds;
    this.#learningRate = learningRate;
  }

  static async open(options: Init): Promise<{ training: Training; nodes: number; createSeconds: number }> {
    const { batch, height, width, classes, threads, profile, device } = options;
    const { step, start } = buildStep(options);
    const before = performance.now();
    const runtime = nodeRuntime({ threads, device, ...(profile && { profile }) });
    const stepper = await Stepper.open(runtime, step, { state: start });
    const createSeconds = (performance.now() - before) / 1000;
    const feeds = {
      images: float32([batch, 3, height, width], keyedUniform("image", [batch, 3, height, width], -2, 2)),
      labels: hostTensor("int64", [batch, height, width], keyedLabels("labels", [batch, height, width], { classes })),
    };
    const training = new Training(stepper, feeds, optimisers[options.optimizer].learningRate);
    return { training, nodes: nodesOf(step.graph).length, createSeconds };
  }

  async step(): Promise<number> {
    return floats((await this.#stepper.run(this.#feeds, this.#learningRate)).loss, "loss")[0]!;
  }

  close(): Promise<void> {
    return this.#stepper.close();
  }
}

async function secondsOf(run: () => Promise<unknown>, repeat: number): Promise<number[]> {
  const seconds: number[] = [];
  for (let i = 0; i < repeat; i++) {
    const start = performance.now();
    await run();
    seconds.push((performance.now() - start) / 1000);
  }
  return seconds;
}

/** Forward, and forward with every gradient, of one op. Results are summed in the graph, so that no copy of them is timed. */
async function timeOp({ name, attrs, shapes, repeat, threads = 1 }: OpCase & { repeat: number; threads?: number }) {
  const inputs = Object.entries(shapes).map(([key, shape]) =>
    input(key, { dtype: key === "labels" ? "int64" : "float32", shape }),
  );
  const feeds = Object.fromEntries(
    Object.entries(shapes).map(([key, shape]) => [
      key,
      key === "labels"
        ? hostTensor("int64", shape, keyedLabels("labels", shape as [number, number, number], { classes: 19 }))
        : float32(shape, keyedUniform(key, shape, key === "variance" ? 0.5 : -1, 1)),
    ]),
  );
  const y = ourOps[name]!(inputs, attrs);
  const dy = input("dy", y.type); // fed, so that nothing of the way back is known beforehand
  const moving = inputs.filter(
    (x) => x.type.dtype === "float32" && !("input" in x.origin && /mean|variance/.test(x.origin.input)),
  );
  const grads = gradients(sum(mul(y, dy)), moving);
  const time = async (graph: Graph): Promise<{ best: number; all: number[] }> => {
    const program = await compile(nodeRuntime({ threads }), graph);
    const given = { ...feeds, dy: float32(y.shape, keyedUniform("dy", y.shape, -1, 1)) };
    await program.run(given); // warm up
    const all = await secondsOf(() => program.run(given), repeat);
    await program.close();
    return { best: Math.min(...all), all };
  };
  return {
    forward: await time({ outputs: { y: sum(y) } }),
    both: await time({ outputs: { y: sum(y), ...Object.fromEntries(grads.map((grad, i) => [`d${i}`, sum(grad)])) } }),
  };
}

async function main(): Promise<void> {
  let training: Training | undefined;
  for await (const line of createInterface({ input: process.stdin })) {
    const command = JSON.parse(line);
    let answer: unknown = {};
    if (command.cmd === "init") {
      const opened = await Training.open(command);
      training = opened.training;
      answer = { nodes: opened.nodes, createSeconds: opened.createSeconds };
    } else if (command.cmd === "step") {
      let loss = Number.NaN;
      const seconds = await secondsOf(async () => {
        loss = await training!.step();
      }, command.count);
      answer = { seconds, loss };
    } else if (command.cmd === "op") {
      answer = await timeOp(command);
    } else if (command.cmd === "memory") {
      answer = { bytes: process.resourceUsage().maxRSS * 1024 };
    } else if (command.cmd === "quit") {
      await training?.close();
    }
    process.stdout.write(`${JSON.stringify(answer)}\n`);
    if (command.cmd === "quit") return;
  }
}
await main();
