import type { Value } from "../../engine/graph/value.js";
import { add, scale } from "../../engine/ops/elementwise.js";
import { type Param, Scope } from "../../networks/layers/scope.js";
import { invariant } from "../../platform/errors.js";
import { GammaNetwork, type GammaNetworkOptions, type Part } from "./network.js";

/** Where the averaged network keeps its weights: `teacher.<path>`. */
export const TEACHER = "teacher";

/** A second network whose weights are a running average of another's (Tarvainen and Valpola, 2017). It is never trained. */
export const newTeacher = (options: GammaNetworkOptions): GammaNetwork =>
  new GammaNetwork(new Scope(TEACHER), options, TEACHER);

/** The network's parameter that one of the teacher's is an average of. */
export function studentOf(param: Param, network: GammaNetwork): Param {
  const path = param.path.slice(TEACHER.length + 1);
  const student = network.params.find((one) => one.path === path);
  invariant(student !== undefined, `the teacher has "${param.path}", the network no "${path}"`);
  return student;
}

/**
 * The teacher after this step: the share `keep` of the old average, the rest of the weights this step began with. Where a part does not
 * move, neither does its average.
 */
export function averaged(
  teacher: GammaNetwork,
  network: GammaNetwork,
  keep: number,
  moves: (part: Part) => boolean,
): Map<Param, Value> {
  const next = (param: Param): Value =>
    moves(teacher.partOf(param))
      ? add(scale(param.value, keep), scale(studentOf(param, network).value, 1 - keep))
      : param.value;
  return new Map(teacher.params.map((param) => [param, next(param)]));
}
