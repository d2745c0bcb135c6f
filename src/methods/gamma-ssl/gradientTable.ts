import { gradients } from "../../engine/autodiff/gradients.js";
import { inputsOf } from "../../engine/graph/graph.js";
import type { Value } from "../../engine/graph/value.js";
import { abs, add } from "../../engine/ops/elementwise.js";
import { sum } from "../../engine/ops/reduce.js";
import { compile } from "../../engine/runtime/compile.js";
import type { Runtime } from "../../engine/runtime/runtime.js";
import { floats, type Tensors } from "../../engine/tensor/hostTensor.js";
import { startOf } from "../../networks/optim/trainStep.js";
import type { Part } from "./network.js";
import type { LossName } from "./options.js";
import { type BuiltStage, buildStage, type StepPlan } from "./step.js";

/** For each loss and each network, the sum of all gradients' magnitudes: 0 where the loss does not reach the network. */
export type GradientTable = Readonly<Partial<Record<LossName, Readonly<Record<Part, number>>>>>;

const PARTS: readonly Part[] = ["encoder", "head", "projection"];

/** Which loss teaches which network (requirement L-12), measured on a batch: `feeds` as for the step itself, noise included. */
export async function gradientTable(
  runtime: Runtime,
  plan: StepPlan,
  feeds: Tensors,
  { seed = 0, state = {} }: { readonly seed?: number; readonly state?: Tensors } = {},
): Promise<GradientTable> {
  const built = buildStage(plan);
  const outputs = Object.fromEntries(
    (Object.entries(built.losses) as [LossName, Value][]).flatMap(([name, loss]) =>
      PARTS.map((part) => [`${name} -> ${part}`, reach(loss, part, built)] as const),
    ),
  );
  const program = await compile(runtime, { outputs });
  const known = { ...startingState(built, seed), ...state, ...feeds };
  const wanted = [...inputsOf({ outputs }).keys()].map((name) => [name, known[name]!] as const);
  const found = await program.run(Object.fromEntries(wanted)).finally(() => program.close());
  return Object.fromEntries(
    Object.keys(built.losses).map((name) => [
      name,
      Object.fromEntries(PARTS.map((part) => [part, floats(found[`${name} -> ${part}`], name)[0]!])),
    ]),
  );
}

/** Σ |∂ loss / ∂ parameter| over one network. */
function reach(loss: Value, part: Part, { network }: BuiltStage): Value {
  const params = network.params.filter((param) => param.trained && network.partOf(param) === part);
  const slopes = gradients(
    loss,
    params.map((param) => param.value),
  );
  return slopes.map((slope) => sum(abs(slope))).reduce((total, one) => add(total, one));
}

function startingState({ network, gathered, starts }: BuiltStage, seed: number): Tensors {
  const params = [...network.params, ...gathered.keys()];
  return Object.fromEntries(params.map((param) => [param.path, (starts.get(param) ?? startOf(param))(seed)]));
}

/** The table as text, a tick where a loss reaches a network. */
export function printGradientTable(table: GradientTable): string {
  const rows = Object.entries(table).map(([name, reaches]) => [
    name,
    ...PARTS.map((part) => (reaches[part] === 0 ? "–" : "✓")),
  ]);
  const cells = [["loss", "E", "f_ψ", "g_ρ"], ...rows];
  const width = Math.max(...cells.map(([name]) => name!.length));
  return cells
    .map(([name, ...rest]) => `${name!.padEnd(width)}  ${rest.map((cell) => cell.padEnd(3)).join("  ")}`.trimEnd())
    .join("\n");
}
