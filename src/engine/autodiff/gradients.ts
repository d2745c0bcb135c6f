import { invariant, UserError } from "../../platform/errors.js";
import { nodesOf } from "../graph/graph.js";
import { within } from "../graph/path.js";
import type { Value } from "../graph/value.js";
import { add, filled, number } from "../ops/elementwise.js";
import { addScattered } from "../ops/gather.js";
import { sum } from "../ops/reduce.js";
import { reshape } from "../ops/shaping.js";
import { sameShape, show, size, stretchedAxes } from "../tensor/shape.js";

/**
 * How a scalar changes with each of some values: one walk backwards through the graph.
 *
 * A value the loss does not depend on gets a gradient of zeros. Rules may answer at a broadcast shape and a value may
 * be used many times: both are handled here, once, so that no op has to.
 */
export function gradients(loss: Value, wrt: readonly Value[]): Value[] {
  if (size(loss.shape) !== 1) {
    throw new UserError(`gradients: the loss is ${show(loss.type)}, wanted a single number`, {
      hint: "take its sum or mean",
    });
  }
  const arrived = new Map<Value, Value>([[loss, reshape(number(1), loss.shape)]]);
  const needed = dependents(loss, wrt);
  for (const node of nodesOf({ outputs: { loss } }).reverse()) {
    if (!needed.has(node.outputs[0]!)) continue;
    const dy = node.outputs.map((output) => arrived.get(output) ?? null);
    if (dy.every((one) => one === null)) continue;
    within(node.path === "" ? "grad" : `${node.path}/grad`, () => {
      const grads = node.backward(dy);
      node.inputs.forEach((x, i) => {
        const dx = grads[i];
        if (dx === null || dx === undefined || !needed.has(x)) return;
        const own = unbroadcast(dx, x);
        const earlier = arrived.get(x);
        arrived.set(x, earlier === undefined ? own : together(earlier, own));
      });
    });
  }
  return wrt.map((value) => arrived.get(value) ?? filled(value.shape, 0));
}

/** Both gradients of a value that was used twice. */
const together = (a: Value, b: Value): Value => addScattered(a, b) ?? addScattered(b, a) ?? add(a, b);

/** Every value between some values and the loss: nothing else needs a gradient. */
function dependents(loss: Value, wrt: readonly Value[]): Set<Value> {
  const found = new Set<Value>(wrt);
  for (const node of nodesOf({ outputs: { loss } })) {
    if (node.inputs.some((x) => found.has(x))) for (const output of node.outputs) found.add(output);
  }
  return found;
}

/** Stretching repeats an element, so its gradients add up. */
function unbroadcast(dx: Value, x: Value): Value {
  if (sameShape(dx.shape, x.shape)) return dx;
  const axes = stretchedAxes(x.shape, dx.shape);
  const back = axes.length === 0 ? dx : sum(dx, axes);
  invariant(size(back.shape) === size(x.shape), `gradient ${show(dx.type)} does not fold back to ${show(x.type)}`);
  return reshape(back, x.shape);
}
