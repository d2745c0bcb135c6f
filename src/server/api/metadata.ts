import { signatureFor } from "../../deployment/model/segment.js";
import type { OpenType } from "../../engine/tensor/shape.js";
import { programVersion } from "../../platform/environment.js";
import type { ModelSource } from "../pool/servedModel.js";
import { datatypes } from "../process/infer.js";

/** The server in the words of the Open Inference Protocol. */
export const serverMetadata = () => ({
  name: "gssl serve",
  version: programVersion(),
  extensions: ["binary_tensor_data"],
});

/** A model likewise. Properties are texts, as the protocol has it. */
export function modelMetadata({ name, description, sha256 }: ModelSource) {
  const { inputs, outputs } = signatureFor(description);
  const { method, precision, height, classes, gamma } = description;
  return {
    name,
    platform: "onnx_onnxv1",
    inputs: tensors(inputs),
    outputs: tensors(outputs),
    properties: {
      ...{ method, precision, sha256, height: String(height) },
      ...(gamma !== null && { gamma: String(gamma) }),
      classes: JSON.stringify(classes),
    },
  };
}

const tensors = (types: ReadonlyMap<string, OpenType>) =>
  [...types].map(([name, { dtype, shape }]) => ({
    name,
    datatype: datatypes[dtype as keyof typeof datatypes],
    shape: shape.map((extent) => (typeof extent === "number" ? extent : -1)),
  }));
