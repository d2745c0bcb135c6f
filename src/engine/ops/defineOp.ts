import { invariant, UserError } from "../../platform/errors.js";
import { currentPath, within } from "../graph/path.js";
import { type Attrs, type Emitter, type Node, Value } from "../graph/value.js";
import { show, type TensorType } from "../tensor/shape.js";

/** Everything a rule may look at. */
export interface Site<A> {
  readonly inputs: readonly Value[];
  readonly outputs: readonly Value[];
  readonly attrs: A;
}

/** An op in one record: the type it makes, its gradient, and how it is written where ONNX is odd about it. */
export interface OpRule<A extends Attrs> {
  readonly opType: string;
  /** Type of each output, or an error that says which inputs do not fit. `where` is the op's name for messages. */
  infer(inputs: readonly TensorType[], attrs: A, where: string): readonly TensorType[];
  /** One gradient per input; left out for ops through which nothing flows. May answer at the broadcast shape. */
  backward?(dy: readonly (Value | null)[], site: Site<A>): readonly (Value | null)[];
  emit?(to: Emitter, site: Site<A>): void;
  /** Set where ONNX lets outputs after the first be left out. */
  readonly optionalOutputs?: boolean;
}

/** Binds a rule to its attributes when the node is made, so the graph never looks a rule up and never casts. */
export function defineOp<A extends Attrs>(rule: OpRule<A>): (inputs: readonly Value[], attrs: A) => readonly Value[] {
  const op = (inputs: readonly Value[], attrs: A): readonly Value[] => {
    const path = currentPath();
    const types = rule.infer(
      inputs.map((value) => value.type),
      attrs,
      here(rule.opType),
    );
    const node: Node = {
      opType: rule.opType,
      path,
      inputs,
      attrs,
      optionalOutputs: rule.optionalOutputs ?? false,
      get outputs() {
        return outputs;
      },
      backward(dy) {
        const grads = rule.backward?.(dy, { inputs, outputs, attrs }) ?? inputs.map(() => null);
        invariant(
          grads.length === inputs.length,
          `${rule.opType} gave ${grads.length} gradients for ${inputs.length} inputs`,
        );
        return grads;
      },
      emit(to) {
        if (rule.emit) rule.emit(to, { inputs, outputs, attrs });
        else
          to.node(
            rule.opType,
            inputs.map((value) => to.name(value)),
            attrs,
          );
      },
      again: (others) => within(path, () => op(others, attrs)),
    };
    const outputs = types.map((type) => new Value(type, { node }));
    return outputs;
  };
  return op;
}

/** The same for the many ops with one output. */
export function defineSingle<A extends Attrs>(
  rule: Omit<OpRule<A>, "infer" | "backward"> & {
    infer(inputs: readonly TensorType[], attrs: A, where: string): TensorType;
    backward?(dy: Value, site: Site<A> & { readonly output: Value }): readonly (Value | null)[];
  },
): (inputs: readonly Value[], attrs: A) => Value {
  const { infer, backward, ...rest } = rule;
  const op = defineOp<A>({
    ...rest,
    infer: (inputs, attrs, where) => [infer(inputs, attrs, where)],
    ...(backward && {
      backward: ([dy], site) =>
        dy === null || dy === undefined
          ? site.inputs.map(() => null)
          : backward(dy, { ...site, output: site.outputs[0]! }),
    }),
  });
  return (inputs, attrs) => op(inputs, attrs)[0]!;
}

/** An op's name for messages, with the path of the module that is being built. */
export function here(opType: string): string {
  const path = currentPath();
  return path === "" ? opType : `${path}: ${opType}`;
}

/** Refuse inputs whose element type the op cannot take. */
export function requireType(where: string, type: TensorType, ...allowed: readonly TensorType["dtype"][]): void {
  if (!allowed.includes(type.dtype)) {
    throw new UserError(`${where}: ${show(type)} has the wrong element type, wanted ${allowed.join(" or ")}`);
  }
}

/** Refuse inputs with the wrong number of axes. */
export function requireRank(where: string, type: TensorType, rank: number, meaning: string): void {
  if (type.shape.length !== rank) {
    throw new UserError(`${where}: ${show(type)} should have ${rank} axes, ${meaning}`);
  }
}
