import fc from "fast-check";
import { expect, test } from "vitest";
import { UserError } from "../../platform/errors.js";
import { parseInferRequest } from "./inferRequest.js";

const limits = { mostPixels: 1000, outputs: ["class", "similarity", "certain"] };
const parse = (request: unknown, tail?: Uint8Array) => {
  const text = Buffer.from(typeof request === "string" ? request : JSON.stringify(request));
  if (tail === undefined) return parseInferRequest(text, undefined, limits);
  return parseInferRequest(Buffer.concat([text, tail]), text.length, limits);
};
const values = Array.from({ length: 12 }, (_, i) => i * 20);
const input = { name: "image", shape: [1, 2, 2, 3], datatype: "UINT8", data: values };
const good = { id: "42", inputs: [input] };

test("flat lists, lists in lists and bytes behind the JSON are the same image", () => {
  const rows = [0, 6].map((at) => [values.slice(at, at + 3), values.slice(at + 3, at + 6)]);
  const { data: _, ...rest } = input;
  const binary = { inputs: [{ ...rest, parameters: { binary_data_size: 12 } }] };
  for (const { image } of [
    parse(good),
    parse({ inputs: [{ ...input, data: [rows] }] }),
    parse({ inputs: [{ ...input, data: rows }] }),
    parse(binary, Uint8Array.from(values)),
  ]) {
    expect({ ...image, rgb: [...image.rgb] }).toEqual({ width: 2, height: 2, rgb: values });
  }
});

test("id, γ and outputs are passed on; all outputs where none is named", () => {
  const names = (request: object) => parse({ ...good, ...request }).outputs;
  expect(parse(good)).toMatchObject({ id: "42", gamma: undefined });
  expect(parse({ ...good, parameters: { gamma: 0.25, other: "x" } }).gamma).toBe(0.25);
  expect(names({})).toEqual(limits.outputs.map((name) => ({ name, binary: false })));
  expect(names({ outputs: [{ name: "certain", parameters: { binary_data: true } }, { name: "class" }] })).toEqual([
    { name: "certain", binary: true },
    { name: "class", binary: false },
  ]);
  const both = {
    parameters: { binary_data_output: true },
    outputs: [{ name: "class", parameters: { binary_data: false } }],
  };
  expect(names(both)).toEqual([{ name: "class", binary: false }]);
});

/** The example of inference_rest.md, as it stands there. */
const example = `{
  "id" : "42",
  "inputs" : [
    { "name" : "input0", "shape" : [ 2, 2 ], "datatype" : "UINT32", "data" : [ 1, 2, 3, 4 ] },
    { "name" : "input1", "shape" : [ 3 ], "datatype" : "BOOL", "data" : [ true ] }
  ],
  "outputs" : [ { "name" : "output0" } ]
}`;

test.each([
  [
    "the protocol's own example, for a model with other inputs",
    example,
    'inputs are ["input0", "input1"], wanted one: "image"',
  ],
  ["no JSON", "{", "is not JSON"],
  ["nothing", "", "it is empty"],
  ["a list", "[]", "wanted an object"],
  ["no inputs", {}, "inputs"],
  ["another type", { inputs: [{ ...input, datatype: "FP32" }] }, "is FP32, wanted UINT8"],
  ["two images", { inputs: [input, input] }, 'wanted one: "image"'],
  [
    "another shape",
    { inputs: [{ ...input, shape: [2, 2, 3] }] },
    "has the shape [2, 2, 3], wanted [1, height, width, 3]",
  ],
  ["a negative side", { inputs: [{ ...input, shape: [1, -2, -2, 3] }] }, "has the shape [1, -2, -2, 3]"],
  ["a side that is no whole number", { inputs: [{ ...input, shape: [1, 2.5, 2, 3] }] }, "inputs.0.shape.1"],
  ["too many pixels", { inputs: [{ ...input, shape: [1, 1001, 1, 3] }] }, "at most 1000 are taken"],
  ["a product beyond all numbers", { inputs: [{ ...input, shape: [1, 2 ** 53 - 1, 2 ** 53 - 1, 3] }] }, "at most 1000"],
  ["too few values", { inputs: [{ ...input, data: values.slice(1) }] }, "has 11 values, its shape has 12"],
  ["a value that is no byte", { inputs: [{ ...input, data: values.with(3, 256) }] }, "value 3 of input"],
  ["a text as value", { inputs: [{ ...input, data: [...values.slice(1), "7"] }] }, 'is "7", wanted a whole number'],
  ["no data", { inputs: [{ ...input, data: undefined }] }, "has no list of data"],
  ["lists without end", { inputs: [{ ...input, data: [[[[[values]]]]] }] }, "deeper than 4"],
  [
    "an unknown output",
    { ...good, outputs: [{ name: "logits" }] },
    '"logits" is not one of class, similarity, certain',
  ],
  ["an output twice", { ...good, outputs: [{ name: "class" }, { name: "class" }] }, "is asked for twice"],
  ["data and bytes", { inputs: [{ ...input, parameters: { binary_data_size: 12 } }] }, "has both"],
])("%s is refused, and the message says what was wanted", (_, request, message) => {
  expect(() => parse(request)).toThrow(message);
});

test("bytes behind the JSON are as many as was said, and as the shape has", () => {
  const binary = (size: number) => ({
    inputs: [{ name: "image", shape: [1, 2, 2, 3], datatype: "UINT8", parameters: { binary_data_size: size } }],
  });
  for (const [size, sent] of [
    [12, 11],
    [12, 13],
    [11, 12],
    [0, 0],
  ] as const) {
    expect(() => parse(binary(size), new Uint8Array(sent))).toThrow(`binary_data_size ${size} and ${sent} bytes`);
  }
  expect(() => parse(good, new Uint8Array(5))).toThrow("5 bytes follow the JSON");
  expect(() => parseInferRequest(Buffer.from("{}"), 3, limits)).toThrow("is 3, and the body has 2 bytes");
});

test("names in JSON that are parts of every object change nothing", () => {
  const hostile = `{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"parameters":{"__proto__":{"polluted":1}},"inputs":[${JSON.stringify(input).replace("{", '{"__proto__":{"polluted":1},')}]}`;
  expect(parse(hostile).image.width).toBe(2);
  expect(({} as { polluted?: number }).polluted).toBeUndefined();
});

const anything = fc.jsonValue({ maxDepth: 2 });

const fuzz = (body: Uint8Array, jsonBytes: number | undefined): void => {
  try {
    const { image, outputs } = parseInferRequest(body, jsonBytes, limits);
    expect(image.rgb.length).toBe(image.width * image.height * 3);
    expect(image.width * image.height).toBeLessThanOrEqual(limits.mostPixels);
    expect(outputs.length).toBeGreaterThan(0);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
  }
};

test("whatever is done to the bytes of a request, it is read or refused by name", () => {
  const text = Buffer.from(
    JSON.stringify({ ...good, outputs: [{ name: "class", parameters: { binary_data: true } }] }),
  );
  const edits = fc.array(fc.record({ at: fc.nat(text.length - 1), to: fc.nat(255) }), { maxLength: 4 });
  fc.assert(
    fc.property(edits, fc.nat(text.length), fc.option(fc.nat(text.length + 5)), (changes, length, jsonBytes) => {
      const bytes = Buffer.from(text.subarray(0, length));
      for (const { at, to } of changes) if (at < length) bytes[at] = to;
      fuzz(bytes, jsonBytes ?? undefined);
    }),
    { numRuns: 3000 },
  );
});

test("whatever JSON it is, it is read or refused by name", () => {
  const almost = fc.record(
    {
      id: fc.oneof(fc.string(), anything),
      parameters: fc.oneof(fc.record({ gamma: fc.double() }), anything),
      inputs: fc.array(
        fc.record(
          {
            name: fc.oneof(fc.constant("image"), fc.string()),
            shape: fc.oneof(
              fc.constant([1, 2, 2, 3]),
              fc.array(fc.oneof(fc.integer(), fc.maxSafeInteger()), { maxLength: 5 }),
            ),
            datatype: fc.constantFrom("UINT8", "FP32", "BYTES"),
            parameters: fc.record(
              { binary_data_size: fc.oneof(fc.constant(12), fc.maxSafeInteger()) },
              { requiredKeys: [] },
            ),
            data: fc.oneof(fc.constant(values), fc.array(fc.nat(300)), anything),
          },
          { requiredKeys: ["name"] },
        ),
        { maxLength: 2 },
      ),
      outputs: fc.array(fc.record({ name: fc.constantFrom(...limits.outputs, "x") }), { maxLength: 3 }),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(almost, fc.uint8Array({ maxLength: 13 }), (request, tail) => {
      const text = Buffer.from(JSON.stringify(request));
      fuzz(Buffer.concat([text, tail]), text.length);
    }),
    { numRuns: 1500 },
  );
});
