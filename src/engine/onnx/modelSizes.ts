import { UserError } from "../../platform/errors.js";
import { DataType, type GraphProto, type NodeProto, type TensorProto } from "./schema.js";

/** More elements than any weight or map that is made from nothing: 256 MB of them. */
const MOST_ELEMENTS = 2 ** 26;
/** Maps are enlarged by four along two sides. */
const MOST_TIMES = 2 ** 12;

interface SizeRule {
  /** Which input says how large the output is. */
  readonly at: number;
  readonly kind: "extents" | "times";
  /** Whether `writeModel` writes it with a size that is computed from the image's. */
  readonly computed?: true;
}

/** Ops that make much of little. What others make is bounded by what they are given. */
const rules: Readonly<Record<string, SizeRule>> = {
  ConstantOfShape: { at: 0, kind: "extents" },
  Expand: { at: 1, kind: "extents", computed: true },
  OneHot: { at: 1, kind: "extents" },
  Tile: { at: 1, kind: "times" },
  Resize: { at: 2, kind: "times" },
};

/** Refuse a graph that would fill the memory with a few bytes of it. */
export function requireModestSizes({ node: nodes, initializer }: GraphProto, file: string): void {
  const constants = new Map(initializer.map((tensor) => [tensor.name, tensor]));
  for (const { opType, output, attribute } of nodes) {
    const value = attribute.find(({ name }) => name === "value")?.t;
    if (opType === "Constant" && value !== undefined && output[0] !== undefined) constants.set(output[0], value);
  }
  for (const node of nodes) {
    const rule = Object.hasOwn(rules, node.opType) ? rules[node.opType] : undefined;
    // Without any input it is no node that a runtime takes.
    if (rule !== undefined && node.input.length > 0)
      requireModest(node, rule, constants.get(node.input[rule.at] ?? ""), file);
  }
}

function requireModest(
  { name, opType }: NodeProto,
  { kind, computed }: SizeRule,
  size: TensorProto | undefined,
  file: string,
): void {
  const refuse = (why: string): never => {
    throw new UserError(`${file} has a node "${name}" of kind "${opType}" ${why}`, {
      hint: "gssl export writes models whose sizes are small or follow the image's",
    });
  };
  if (size === undefined) {
    if (computed !== true) refuse("whose size is not a constant");
    return;
  }
  const numbers = numbersOf(size) ?? refuse("whose size cannot be read");
  const product = numbers.reduce((so, each) => so * each, 1);
  const most = kind === "extents" ? MOST_ELEMENTS : MOST_TIMES;
  if (!(product >= 0 && product <= most))
    refuse(`for ${product} ${kind === "extents" ? "elements" : "times as many"}, at most ${most}`);
}

/** Numbers of a size: int64, or float32 for the factors of Resize. Null where they lie elsewhere or are of another type. */
function numbersOf({ dataType, rawData, dims }: TensorProto): number[] | null {
  const width = dataType === DataType.INT64 ? 8 : dataType === DataType.FLOAT ? 4 : 0;
  const count = dims.reduce((so, each) => so * Number(each), 1);
  if (rawData === undefined || width === 0 || rawData.length !== count * width || count > 16) return null;
  const view = new DataView(rawData.buffer, rawData.byteOffset, rawData.byteLength);
  return Array.from({ length: count }, (_, i) =>
    width === 8 ? Number(view.getBigInt64(8 * i, true)) : view.getFloat32(4 * i, true),
  );
}
