import { DataError } from "../images/dataError.js";
import { isLabellingName, type LabellingName } from "../labels/builtIn.js";

/** The option that makes a reader take its labels as another label space. */
const options: Partial<Record<string, Partial<Record<LabellingName, string>>>> = {
  cityscapes: {
    "cityscapes-ids": "labels=ids",
    "cityscapes-train-ids": "labels=train-ids",
    "cityscapes-colours": "labels=colours",
  },
  bdd: {
    "cityscapes-train-ids": "labels=train-ids",
    "cityscapes-colours": "labels=colours",
    "bdd-colours": "labels=colours",
  },
  wilddash: { "cityscapes-ids": "version=1", "wilddash2-ids": "version=2" },
};

/** A refused label map whose values fit another label space: say which option of the spec takes them so. */
export function adviseOption(error: unknown, spec: string): unknown {
  if (!(error instanceof DataError) || error.fits === undefined || !isLabellingName(error.fits)) return error;
  const reader = spec.slice(0, spec.indexOf(":"));
  const option = reader === "folder" || reader === "manifest" ? `classes=${error.fits}` : options[reader]?.[error.fits];
  return error.withHint(
    option === undefined
      ? `read these files with folder:<path>?images=<folder>&labels=<folder>&classes=${error.fits}`
      : `set ${option} in the spec`,
  );
}
