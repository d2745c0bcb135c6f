import { UserError } from "../../platform/errors.js";
import { constant, type Value } from "../graph/value.js";
import { zeros } from "../tensor/hostTensor.js";
import { show, size, windowOutput } from "../tensor/shape.js";
import { defineOp, defineSingle, requireRank } from "./defineOp.js";
import { scale } from "./elementwise.js";
import { gather } from "./gather.js";
import { mean } from "./reduce.js";
import { reshape, stretchTo } from "./shaping.js";

type PoolWindow = { readonly kernel: number; readonly stride: number; readonly padding: number };

const onnxAttrs = ({ kernel, stride, padding }: PoolWindow) => ({
  kernel_shape: [kernel, kernel],
  strides: [stride, stride],
  pads: [padding, padding, padding, padding],
});

const maxPoolOp = defineOp<PoolWindow>({
  opType: "MaxPool",
  optionalOutputs: true,
  infer([x], { kernel, stride, padding }, where) {
    requireRank(where, x!, 4, "[N, C, H, W]");
    const [n, c, h, w] = x!.shape as [number, number, number, number];
    const window = { stride, padding, dilation: 1 };
    const shape = [n, c, windowOutput(where, h, kernel, window), windowOutput(where, w, kernel, window)];
    return [
      { dtype: x!.dtype, shape },
      { dtype: "int64", shape },
    ];
  },
  // The second output says where in the whole tensor each maximum was found: that is where its gradient goes.
  backward: ([dy], { inputs: [x], outputs: [, places] }) =>
    dy === null || dy === undefined ? [null] : [reshape(addAt(places!, dy, size(x!.shape)), x!.shape)],
  emit: (to, { inputs: [x], attrs }) => to.node("MaxPool", [to.name(x!)], onnxAttrs(attrs)),
});

const addAtOp = defineSingle<{ count: number }>({
  opType: "AddAt",
  infer: ([, dy], { count }) => ({ dtype: dy!.dtype, shape: [count] }),
  backward: (dx, { inputs: [places] }) => [null, gather(dx, places!, 0)],
  emit(to, { inputs: [places, dy], attrs: { count } }) {
    const empty = constant(zeros({ dtype: dy!.type.dtype, shape: [count] }));
    to.node("ScatterElements", [to.name(empty), to.name(places!), to.name(dy!)], { axis: 0, reduction: "add" });
  },
});
/** So many zeros, with dy added at flat places. */
function addAt(places: Value, dy: Value, count: number): Value {
  const flat = [size(dy.shape)];
  return addAtOp([reshape(places, flat), reshape(dy, flat)], { count });
}

/** The largest pixel of each window; on a tie the first one gets the gradient, as in PyTorch. */
export const maxPool = (x: Value, window: PoolWindow): Value => maxPoolOp([x], window)[0]!;

const averagePoolOp = defineSingle<PoolWindow>({
  opType: "AveragePool",
  infer([x], { kernel }, where) {
    requireRank(where, x!, 4, "[N, C, H, W]");
    const [n, c, h, w] = x!.shape as [number, number, number, number];
    if (h % kernel !== 0 || w % kernel !== 0) {
      throw new UserError(`${where}: ${show(x!)} does not divide into cells of ${kernel} x ${kernel}`);
    }
    return { dtype: x!.dtype, shape: [n, c, h / kernel, w / kernel] };
  },
  // Every pixel of a cell had the same say.
  backward(dy, { inputs: [x], attrs: { kernel } }) {
    const [n, c, h, w] = dy.shape as [number, number, number, number];
    const cells = reshape(scale(dy, 1 / kernel ** 2), [n, c, h, 1, w, 1]);
    return [reshape(stretchTo(cells, [n, c, h, kernel, w, kernel]), x!.shape)];
  },
  emit: (to, { inputs: [x], attrs }) => to.node("AveragePool", [to.name(x!)], onnxAttrs(attrs)),
});
/** The mean of each kernel x kernel cell; cells do not overlap. */
export const averagePool = (x: Value, kernel: number): Value =>
  averagePoolOp([x], { kernel, stride: kernel, padding: 0 });

/** The mean of each channel. [N, C, H, W] -> [N, C, 1, 1] */
export const globalAveragePool = (x: Value): Value => mean(x, [2, 3], { keep: true });
