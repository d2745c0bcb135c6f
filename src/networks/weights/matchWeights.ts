import type { HostTensor, Tensors } from "../../engine/tensor/hostTensor.js";
import { type Shape, sameShape } from "../../engine/tensor/shape.js";
import { UserError } from "../../platform/errors.js";
import type { Param } from "../layers/scope.js";
import { quoted } from "./refusal.js";
import type { WeightsFile } from "./weightsFile.js";

/** What names in a file became names of the network, e.g. by taking `module.` off. */
export interface Renaming {
  /** Taken off the front of the file's name; may be empty. */
  readonly off: string;
  /** Put before the rest; may be empty. */
  readonly on: string;
  readonly count: number;
}

/** How a file fits a network. Names of the network, except where said. */
export interface MatchReport {
  readonly file: string;
  readonly matched: readonly string[];
  /** In the network, not in the file: they keep their first values. */
  readonly missing: readonly string[];
  /** In the file, not in the network; the file's names. */
  readonly unexpected: readonly string[];
  /** Whole numbers in the file, of no use here; the file's names. */
  readonly skipped: readonly string[];
  readonly wrongShape: readonly { readonly name: string; readonly found: Shape; readonly wanted: Shape }[];
  readonly renamed: readonly Renaming[];
}

export interface Match {
  /** What fits, by the network's names: the `state` to start training or prediction from. */
  readonly tensors: Tensors;
  readonly report: MatchReport;
}

/** What wrappers of a network put before its names: data parallelism, compilation, Lightning modules. */
const wrappers = ["module.", "_orig_mod.", "model.", "net.", "network."];
/** torchvision's ResNet is our encoder: `conv1.weight` there is `encoder.conv1.weight` here and in smp. */
const ENCODER = "encoder.";

/** Lines the tensors of a file up with a network's parameters by name. Judges nothing: see `loadWeights`. */
export function matchWeights(params: readonly Param[], { tensors, skipped }: WeightsFile, file: string): Match {
  const wanted = new Map(params.map((param) => [param.path, param]));
  const matched = new Map<string, { readonly from: string; readonly tensor: HostTensor }>();
  const unexpected: string[] = [];
  const wrongShape: { name: string; found: Shape; wanted: Shape }[] = [];
  const renamed = new Map<string, Renaming>();
  for (const [from, tensor] of tensors) {
    const { name, off, on } = ourName(from, wanted) ?? {};
    if (name === undefined) {
      unexpected.push(from);
      continue;
    }
    const earlier = matched.get(name);
    if (earlier !== undefined) {
      throw new UserError(`${file}: ${quoted(earlier.from)} and ${quoted(from)} both mean ${quoted(name)}`, {
        hint: "save only one of the two networks in it",
      });
    }
    const { shape } = wanted.get(name)!;
    if (sameShape(shape, tensor.shape)) matched.set(name, { from, tensor });
    else wrongShape.push({ name, found: tensor.shape, wanted: shape });
    if (off !== "" || on !== "") {
      const key = `${off}>${on}`;
      renamed.set(key, { off: off!, on: on!, count: (renamed.get(key)?.count ?? 0) + 1 });
    }
  }
  const misfits = new Set(wrongShape.map(({ name }) => name));
  return {
    tensors: Object.fromEntries([...matched].map(([name, { tensor }]) => [name, tensor])),
    report: {
      file,
      matched: [...matched.keys()],
      missing: [...wanted.keys()].filter((name) => !matched.has(name) && !misfits.has(name)),
      unexpected,
      skipped,
      wrongShape,
      renamed: [...renamed.values()],
    },
  };
}

/** The network's name for a tensor of a file, if it has one: as it is, out of its wrappers, or as part of the encoder. */
function ourName(
  from: string,
  wanted: ReadonlyMap<string, Param>,
): { readonly name: string; readonly off: string; readonly on: string } | undefined {
  let rest = from;
  for (;;) {
    const off = from.slice(0, from.length - rest.length);
    if (wanted.has(rest)) return { name: rest, off, on: "" };
    if (wanted.has(ENCODER + rest)) return { name: ENCODER + rest, off, on: ENCODER };
    const wrapper = wrappers.find((prefix) => rest.startsWith(prefix));
    if (wrapper === undefined) return undefined;
    rest = rest.slice(wrapper.length);
  }
}

/**
 * The weights of a file for a network, by name, with a report of what fitted.
 *
 * A file may hold only part of a network (a pre-trained encoder) or more than it (a classifier). It may not hold a tensor of another
 * shape under a name of ours, nor nothing of ours at all.
 */
export function loadWeights(params: readonly Param[], weights: WeightsFile, file: string): Match {
  const match = matchWeights(params, weights, file);
  const { wrongShape, matched, unexpected } = match.report;
  if (wrongShape.length > 0) {
    const listed = wrongShape
      .slice(0, 4)
      .map(({ name, found, wanted }) => `${quoted(name)} is ${shown(found)}, wanted ${shown(wanted)}`);
    const rest = wrongShape.length > 4 ? ` and ${wrongShape.length - 4} more` : "";
    throw new UserError(`${file}: ${listed.join("; ")}${rest}`, { hint: shapeHint(wrongShape[0]!) });
  }
  if (matched.length === 0) {
    const [theirs, ours] = [unexpected, params.map(({ path }) => path)].map((names) =>
      names.slice(0, 3).map(quoted).join(", "),
    );
    throw new UserError(`${file}: holds no tensor of this network`, {
      hint: `its names are like ${theirs || "(none)"}; the network's are like ${ours}`,
    });
  }
  return match;
}

const shown = (shape: Shape): string => `[${shape.join(", ")}]`;

function shapeHint({ name, found }: { readonly name: string; readonly found: Shape }): string {
  if (name.startsWith("segmentation_head."))
    return `the file is for ${found[0]} classes: build the network with as many, or leave "segmentation_head.*" out of the file`;
  if (/\.weight_[uv]$/.test(name))
    return "the norms were measured at another image size: set spectralImage to the one it was trained with";
  return "build the network with the same width, features and output stride as the one that was saved";
}
