import { atLeast, type LoadedModel } from "../../deployment/model/segment.js";
import { floats, type HostTensor, hostTensor, type Tensors } from "../../engine/tensor/hostTensor.js";
import { imageOutputs } from "../../inference/imageOutputs.js";
import { parseInferRequest } from "./inferRequest.js";
import type { Answer, Job } from "./job.js";
import { gammaOf, type ModelFacts, outputNames } from "./modelFacts.js";

/** What the protocol calls the types of our tensors. */
export const datatypes = { uint8: "UINT8", float32: "FP32" } as const;

/** Answer an inference request of the Open Inference Protocol: the tensors of the model as they are. */
export async function infer(
  name: string,
  { image, description }: LoadedModel,
  facts: ModelFacts,
  { body, jsonBytes }: Extract<Job, { kind: "infer" }>,
  mostPixels: number,
): Promise<Answer> {
  const request = parseInferRequest(body, jsonBytes, { mostPixels, outputs: outputNames(description) });
  const gamma = gammaOf(facts, request.gamma);
  const computed: Tensors = await imageOutputs(image, request.image);
  const certain = gamma === null ? null : atLeast(floats(computed.similarity, "similarity"), gamma);
  const tensors: Tensors = {
    ...computed,
    ...(certain !== null && { certain: hostTensor("uint8", computed.certain!.shape, certain) }),
  };
  const tails: Uint8Array[] = [];
  const outputs = request.outputs.map(({ name: output, binary }) => {
    const tensor = tensors[output]!;
    const about = { name: output, shape: tensor.shape, datatype: datatypes[tensor.dtype as keyof typeof datatypes] };
    if (!binary) return { ...about, data: Array.from(tensor.data as Uint8Array | Float32Array) };
    const bytes = bytesOf(tensor);
    tails.push(bytes);
    return { ...about, parameters: { binary_data_size: bytes.length } };
  });
  const json = Buffer.from(
    JSON.stringify({ model_name: name, ...(request.id !== undefined && { id: request.id }), outputs }),
  );
  const certainShare = certain === null ? null : certain.reduce((count, yes) => count + yes, 0) / certain.length;
  if (tails.length === 0) return { type: "application/json", headers: {}, body: json, certainShare };
  return {
    type: "application/octet-stream",
    headers: { "Inference-Header-Content-Length": String(json.length) },
    body: Buffer.concat([json, ...tails]),
    certainShare,
  };
}

const bytesOf = ({ data }: HostTensor): Uint8Array => new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
