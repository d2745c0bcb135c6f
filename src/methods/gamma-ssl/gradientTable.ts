import { gradients } from "../../engine/autodiff/gradients.js";
import { inputsOf } from "../../engine/graph/graph.js";
import type { Value } from "../../engine/graph/value.js";
import { abs, add, number } from "../../engine/ops/elementwise.js";
import { sum } from "../../engine/ops/reduce.js";
import { compile } from "../../engine/runtime/compile.js";
import type { Runtime } from "../../engine/runtime/runtime.js";
import { floats, type Tensors } from "../../engine/tensor/hostTensor.js";
import type { Param } from "../../networks/layers/scope.js";
import { startOf } from "../../networks/optim/trainStep.js";
import type { Part } from "./network.js";
import type { LossName } from "./options.js";
import { type BuiltStage, buildStage, ratesOf, type StepPlan } from "./step.js";

/** The three networks of the paper: E with its first layers, f_ψ and g_ρ. */
const networks = { encoder: ["stem", "encoder"], head: ["head"], projection: ["projection"] } as const satisfies Record<
  string,
  readonly Part[]
>;
type NetworkName = keyof typeof networks;
const NETWORKS = Object.keys(networks) as NetworkName[];

/** For each loss and each network, the sum of all gradients' magnitudes: 0 where the loss does not reach the network, or it is frozen. */
export type GradientTable = Readonly<Partial<Record<LossName, Readonly<Record<NetworkName, number>>>>>;

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
      NETWORKS.map((network) => [`${name} -> ${network}`, reach(loss, trainedIn(network, built, plan))] as const),
    ),
  );
  const program = await compile(runtime, { outputs });
  const known = { ...startingState(built, seed), ...state, ...feeds };
  const wanted = [...inputsOf({ outputs }).keys()].map((name) => [name, known[name]!] as const);
  const found = await program.run(Object.fromEntries(wanted)).finally(() => program.close());
  return Object.fromEntries(
    Object.keys(built.losses).map((name) => [
      name,
      Object.fromEntries(NETWORKS.map((network) => [network, floats(found[`${name} -> ${network}`], name)[0]!])),
    ]),
  );
}

/** The parameters of one network that the stage does not freeze. */
function trainedIn(name: NetworkName, { network }: BuiltStage, { options, stage }: StepPlan): Param[] {
  const rates = ratesOf(options, stage);
  const parts: readonly Part[] = networks[name];
  const moves = (part: Part): boolean => parts.includes(part) && rates[part] > 0;
  return network.params.filter((param) => param.trained && moves(network.partOf(param)));
}

/** Σ |∂ loss / ∂ parameter| over some parameters. */
function reach(loss: Value, params: readonly Param[]): Value {
  if (params.length === 0) return number(0);
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
    ...NETWORKS.map((network) => (reaches[network] === 0 ? "–" : "✓")),
  ]);
  const cells = [["loss", "E", "f_ψ", "g_ρ"], ...rows];
  const width = Math.max(...cells.map(([name]) => name!.length));
  return cells
    .map(([name, ...rest]) => `${name!.padEnd(width)}  ${rest.map((cell) => cell.padEnd(3)).join("  ")}`.trimEnd())
    .join("\n");
}
