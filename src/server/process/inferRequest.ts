import { z } from "zod";
import type { RgbImage } from "../../data/images/tensors.js";
import { UserError } from "../../platform/errors.js";
import { parseJson } from "../../platform/json.js";

/** An inference request of the Open Inference Protocol, checked against what a model takes. */
export interface InferRequest {
  readonly id: string | undefined;
  /** In place of the model's: our own parameter. */
  readonly gamma: number | undefined;
  readonly image: RgbImage;
  /** Output tensors that were asked for, and whether as bytes behind the JSON. */
  readonly outputs: readonly { readonly name: string; readonly binary: boolean }[];
}

export interface InferLimits {
  readonly mostPixels: number;
  /** Names of the tensors that the model gives. */
  readonly outputs: readonly string[];
}

const flag = z.boolean().optional();
const bytes = z.int().min(0).optional();

/** Unknown fields are ignored, as the protocol says. */
const schema = z.object({
  id: z.string().max(1024).optional(),
  parameters: z.object({ gamma: z.number().optional(), binary_data_output: flag }).optional(),
  inputs: z
    .array(
      z.object({
        name: z.string(),
        shape: z.array(z.int()).max(8),
        datatype: z.string(),
        parameters: z.object({ binary_data_size: bytes }).optional(),
        // Checked by hand: it may have millions of numbers.
        data: z.unknown().optional(),
      }),
    )
    .max(8),
  outputs: z
    .array(z.object({ name: z.string(), parameters: z.object({ binary_data: flag }).optional() }))
    .max(64)
    .optional(),
});

const HINT = "docs/serving.md shows a request";
const refuse = (message: string): UserError => new UserError(message, { hint: HINT });

/** Read a request. `jsonBytes` is where tensors in bytes begin; undefined where all of the body is JSON. Bounded before anything is allocated. */
export function parseInferRequest(body: Uint8Array, jsonBytes: number | undefined, limits: InferLimits): InferRequest {
  if (jsonBytes !== undefined && jsonBytes > body.length)
    throw refuse(`Inference-Header-Content-Length is ${jsonBytes}, and the body has ${body.length} bytes`);
  const text = Buffer.from(body.buffer, body.byteOffset, jsonBytes ?? body.length).toString("utf8");
  const { id, parameters, inputs, outputs } = parseJson(text, "the request", { schema, hint: HINT });
  const [input, another] = inputs;
  if (input === undefined || another !== undefined || input.name !== "image") {
    const names = inputs.map(({ name }) => JSON.stringify(name.slice(0, 100))).join(", ");
    throw refuse(`inputs are [${names}], wanted one: "image"`);
  }
  const { width, height } = extentOf(input, limits.mostPixels);
  const tensors = body.subarray(jsonBytes ?? body.length);
  const rgb = rgbOf(input, height * width * 3, tensors);
  return {
    id,
    gamma: parameters?.gamma,
    image: { width, height, rgb },
    outputs: askedFor(outputs, limits.outputs, parameters?.binary_data_output === true),
  };
}

type Input = z.infer<typeof schema>["inputs"][number];

function extentOf({ shape, datatype }: Input, mostPixels: number): { width: number; height: number } {
  if (datatype !== "UINT8") throw refuse(`input "image" is ${datatype.slice(0, 100)}, wanted UINT8`);
  const [images, height = 0, width = 0, channels] = shape;
  if (shape.length !== 4 || images !== 1 || channels !== 3 || height < 1 || width < 1) {
    throw refuse(`input "image" has the shape [${shape.join(", ")}], wanted [1, height, width, 3]`);
  }
  // Neither side alone exceeds it, so the product is exact.
  if (height > mostPixels || width > mostPixels || height * width > mostPixels) {
    throw new UserError(`input "image" has ${height} x ${width} pixels, at most ${mostPixels} are taken`, {
      hint: "scale it down",
      code: "image-too-large",
    });
  }
  return { width, height };
}

function rgbOf({ parameters, data }: Input, values: number, tensors: Uint8Array): Uint8Array {
  const size = parameters?.binary_data_size;
  if (size === undefined) {
    if (tensors.length > 0) throw refuse(`${tensors.length} bytes follow the JSON, and no input has binary_data_size`);
    return flattened(data, values);
  }
  if (data !== undefined) throw refuse(`input "image" has both data and binary_data_size`);
  if (size !== values || tensors.length !== values) {
    throw refuse(
      `input "image" has binary_data_size ${size} and ${tensors.length} bytes behind the JSON; its shape has ${values}`,
    );
  }
  return tensors;
}

/** Lists in lists as deep as the tensor has axes, or one flat list. */
const DEEPEST = 4;

function flattened(data: unknown, values: number): Uint8Array {
  if (!Array.isArray(data)) throw refuse(`input "image" has no list of data`);
  const counted = countOf(data, DEEPEST);
  if (counted !== values) throw refuse(`input "image" has ${counted} values, its shape has ${values}`);
  const flat = new Uint8Array(values);
  let at = 0;
  const fill = (list: readonly unknown[]): void => {
    for (const one of list) {
      if (Array.isArray(one)) fill(one);
      else if (typeof one === "number" && Number.isInteger(one) && one >= 0 && one <= 255) flat[at++] = one;
      else throw refuse(`value ${at} of input "image" is ${shown(one)}, wanted a whole number from 0 to 255`);
    }
  };
  fill(data);
  return flat;
}

function countOf(list: readonly unknown[], depth: number): number {
  if (depth === 0) throw refuse(`the data of input "image" has lists deeper than ${DEEPEST}`);
  let count = 0;
  for (const one of list) count += Array.isArray(one) ? countOf(one, depth - 1) : 1;
  return count;
}

const shown = (value: unknown): string => (JSON.stringify(value) ?? "missing").slice(0, 40);

function askedFor(
  asked: z.infer<typeof schema>["outputs"],
  known: readonly string[],
  binary: boolean,
): InferRequest["outputs"] {
  if (asked === undefined || asked.length === 0) return known.map((name) => ({ name, binary }));
  const seen = new Set<string>();
  return asked.map(({ name, parameters }) => {
    if (!known.includes(name) || seen.has(name)) {
      const what = seen.has(name) ? "is asked for twice" : `is not one of ${known.join(", ")}`;
      throw refuse(`output ${JSON.stringify(name.slice(0, 100))} ${what}`);
    }
    seen.add(name);
    return { name, binary: parameters?.binary_data ?? binary };
  });
}
