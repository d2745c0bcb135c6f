import { UserError } from "../../platform/errors.js";
import type { Value } from "../graph/value.js";
import { show, type TensorType, windowOutput } from "../tensor/shape.js";
import { filterGradient } from "./convFilterGradient.js";
import type { Geometry } from "./convGeometry.js";
import { defineSingle, here, requireRank, requireType } from "./defineOp.js";
import { add } from "./elementwise.js";
import { flip, reshape, transpose } from "./shaping.js";
import { winogradConv } from "./winograd.js";

export interface ConvOptions {
  readonly stride?: number;
  readonly padding?: number;
  readonly dilation?: number;
  readonly groups?: number;
  /** The filter is learned in this program: choose what is fastest together with its gradients. */
  readonly learned?: boolean;
}

/** As ONNX spells it: explicit pads, because `auto_pad` with strides is wrong on some execution providers. */
const onnxAttrs = ({ stride, padding, dilation, groups }: Geometry) => ({
  strides: [stride, stride],
  pads: [padding, padding, padding, padding],
  dilations: [dilation, dilation],
  group: groups,
});

function inferConv([x, w]: readonly TensorType[], geometry: Geometry, where: string): TensorType {
  requireType(where, x!, "float32", "float16");
  requireRank(where, x!, 4, "[N, C, H, W]");
  requireRank(where, w!, 4, "[out, in per group, height, width]");
  const [n, c, h, width] = x!.shape as [number, number, number, number];
  const [out, perGroup, kh, kw] = w!.shape as [number, number, number, number];
  const { groups } = geometry;
  if (c !== perGroup * groups || out % groups !== 0) {
    throw new UserError(
      `${where}: image ${show(x!)} has ${c} channels, filter ${show(w!)} in ${groups} groups takes ${perGroup * groups}`,
      {
        hint:
          out % groups === 0
            ? "check the layer's input channels"
            : `${out} filters do not divide into ${groups} groups`,
      },
    );
  }
  return {
    dtype: x!.dtype,
    shape: [n, out, windowOutput(where, h, kh, geometry), windowOutput(where, width, kw, geometry)],
  };
}

const convOp = defineSingle<Geometry>({
  opType: "Conv",
  infer: inferConv,
  backward: (dy, { inputs: [x, w], attrs }) => [
    imageGradient(dy, w!, x!.type, attrs),
    filterGradient(x!, dy, w!.type, { geometry: attrs, convolve: plainConv }),
  ],
  emit: (to, { inputs: [x, w], attrs }) => to.node("Conv", [to.name(x!), to.name(w!)], onnxAttrs(attrs)),
});

/** A convolution with its bias in one, for filters that are not trained: no gradient. */
const fixedConvOp = defineSingle<Geometry>({
  opType: "Conv",
  infer: inferConv,
  emit: (to, { inputs, attrs }) =>
    to.node(
      "Conv",
      inputs.map((value) => to.name(value)),
      onnxAttrs(attrs),
    ),
});
/** x [N, C, H, W], w [out, C / groups, kh, kw], bias [out] -> [N, out, H', W'] */
export const fixedConv = (x: Value, w: Value, bias: Value, geometry: Geometry): Value =>
  fixedConvOp([x, w, bias], geometry);

/** The convolution itself, however it is used. */
export const plainConv = (x: Value, w: Value, geometry: Geometry): Value => convOp([x, w], geometry);

/** Spreads each pixel over the window it was computed from: what a convolution does to gradients. */
const spreadOp = defineSingle<Geometry & { height: number; width: number }>({
  opType: "ConvTranspose",
  infer: ([dy, w], { groups, height, width }) => ({
    dtype: dy!.dtype,
    shape: [dy!.shape[0]!, w!.shape[1]! * groups, height, width],
  }),
  backward(dx, { inputs: [dy, w], attrs: { height: _h, width: _w, ...geometry } }) {
    return [convOp([dx, w!], geometry), filterGradient(dx, dy!, w!.type, { geometry, convolve: plainConv })];
  },
  emit(to, { inputs: [dy, w], attrs: { height, width, ...geometry } }) {
    // What the strides leave over at the far edge, so that the image comes back at its own size.
    const missing = (extent: number, out: number, kernel: number): number =>
      extent - ((out - 1) * geometry.stride + (kernel - 1) * geometry.dilation + 1 - 2 * geometry.padding);
    const [, , oh, ow] = dy!.shape as [number, number, number, number];
    const [, , kh, kw] = w!.shape as [number, number, number, number];
    to.node("ConvTranspose", [to.name(dy!), to.name(w!)], {
      ...onnxAttrs(geometry),
      output_padding: [missing(height, oh, kh), missing(width, ow, kw)],
    });
  },
});

/** From this many filter elements on, reversing the filter costs more than the slower kernel that needs no reversal. */
const LARGE_FILTER = 256 * 256 * 9;

/** Gradient of a convolution with respect to its image. */
function imageGradient(dy: Value, w: Value, x: TensorType, geometry: Geometry): Value {
  const { stride, padding, dilation, groups } = geometry;
  const [out, perGroup, kh, kw] = w.shape as [number, number, number, number];
  const samePadding = kh === kw && 2 * padding === (kh - 1) * dilation;
  if (stride === 1 && samePadding && out * perGroup * kh * kw < LARGE_FILTER) {
    // A convolution again, with filters reversed and their two channel axes swapped within each group.
    const split = reshape(kh === 1 ? w : flip(w, [2, 3]), [groups, out / groups, perGroup, kh, kw]);
    const swapped = reshape(transpose(split, [0, 2, 1, 3, 4]), [perGroup * groups, out / groups, kh, kw]);
    return convOp([dy, swapped], geometry);
  }
  return spreadOp([dy, w], { ...geometry, height: x.shape[2]!, width: x.shape[3]! });
}

/**
 * Channels from which cutting an image into Winograd tiles pays for itself: below, the transforms cost as much time as the
 * multiplications they save, and more memory.
 */
const WINOGRAD_CHANNELS = 128;

const suitsWinograd = (w: Value, { stride, padding, dilation, groups }: Geometry): boolean =>
  w.shape[2] === 3 &&
  w.shape[3] === 3 &&
  stride === 1 &&
  groups === 1 &&
  padding === dilation &&
  Math.min(w.shape[0]!, w.shape[1]!) >= WINOGRAD_CHANNELS;

/** 2-D convolution. x [N, C, H, W], w [out, C / groups, kh, kw], bias [out] -> [N, out, H', W']. */
export function conv2d(x: Value, w: Value, options: ConvOptions = {}, bias?: Value): Value {
  const { stride = 1, padding = 0, dilation = 1, groups = 1, learned = false } = options;
  const geometry = { stride, padding, dilation, groups };
  inferConv([x.type, w.type], geometry, here("Conv"));
  const y = learned && suitsWinograd(w, geometry) ? winogradConv(x, w, dilation) : convOp([x, w], geometry);
  return bias === undefined ? y : add(y, reshape(bias, [1, w.shape[0]!, 1, 1]));
}
