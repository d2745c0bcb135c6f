import type { Tensors } from "../../engine/tensor/hostTensor.js";
import type { TrainStep } from "../../networks/optim/trainStep.js";
import { TEACHER } from "./teacher.js";

/**
 * The state a stage starts from, given the last state of the stage before it (or of a checkpoint, or of downloaded weights).
 *
 * Weights, running statistics and the prototypes' history go on; a teacher starts where the network is; the optimiser
 * starts afresh. What is not there is left out, and drawn when the step is opened.
 */
export function carryOver(from: Tensors, to: TrainStep): Tensors {
  const kept = [...to.state].flatMap(([name, { memory }]) => {
    if (memory) return [];
    const tensor = from[name.startsWith(`${TEACHER}.`) ? name.slice(TEACHER.length + 1) : name];
    return tensor === undefined ? [] : [[name, tensor] as const];
  });
  return Object.fromEntries(kept);
}
