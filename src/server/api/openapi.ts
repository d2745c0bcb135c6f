import { programVersion } from "../../platform/environment.js";
import { outputs } from "../process/job.js";

/** What one method of a path does, as OpenAPI 3.1 has it. */
export interface Operation {
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required: true; readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: Content }>>;
}

interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required?: true;
  readonly description: string;
  readonly schema: object;
}

type Content = Readonly<Record<string, { readonly schema?: object; readonly example?: unknown }>>;

const string = { type: "string" } as const;
const number = { type: "number" } as const;
const boolean = { type: "boolean" } as const;
const share = { type: "number", minimum: 0, maximum: 1 } as const;
const orNull = (schema: { readonly type: string }): object => ({ ...schema, type: [schema.type, "null"] });
const list = (items: object): object => ({ type: "array", items });
const object = (properties: Record<string, object>, optional: readonly string[] = []): object => ({
  type: "object",
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
});
const ref = (name: string): object => ({ $ref: `#/components/schemas/${name}` });
const json = (schema: object): Content => ({ "application/json": { schema } });
const bytes: { readonly schema?: object } = {};

const failed = (description: string) => ({ description, content: json(ref("error")) });
const overloaded = {
  "503": failed("overloaded, stopping, or the computing process ended: Retry-After says when to try again"),
  "504": failed("the answer took too long"),
};
const modelName: Parameter = {
  ...{ name: "model", in: "path", required: true, description: "name of a model", schema: string },
};

/** Every path of the API and what it does. Routes, their list, the page and the document for machines come from here. */
export const paths: Readonly<Record<string, Readonly<Partial<Record<"get" | "post", Operation>>>>> = {
  "/v1/segment": {
    post: {
      summary: "segment an image",
      description:
        "The body is the image: JPEG, PNG or WebP; or a form (multipart/form-data) with the image as its one field, image. Answers have the image's own size.",
      parameters: [
        { name: "model", in: "query", description: "name of a model; the first when left out", schema: string },
        {
          name: "gamma",
          in: "query",
          description: "in place of the model's γ: a similarity",
          schema: { ...number, minimum: -1, maximum: 1 },
        },
        {
          name: "output",
          in: "query",
          description:
            "summary: JSON; classes: 8-bit PNG of class indices; uncertainty: 16-bit PNG (headers Gssl-Uncertainty-Least and -Step); overlay: the image in the colours of its classes; certain: the same, black where the model is not certain. When left out, by Accept: application/json, image/png (classes), image/jpeg (overlay)",
          schema: { type: "string", enum: outputs },
        },
      ],
      requestBody: {
        required: true,
        content: {
          ...{ "image/jpeg": bytes, "image/png": bytes, "image/webp": bytes },
          "multipart/form-data": { schema: object({ image: { type: "string", contentMediaType: "image/*" } }) },
        },
      },
      responses: {
        "200": {
          description: "what was asked for",
          content: { ...json(ref("summary")), "image/png": bytes, "image/jpeg": bytes },
        },
        "400": failed("a wrong parameter or form, or an empty body"),
        "404": failed("no such model"),
        "413": failed("too many bytes, or too many pixels"),
        "415": failed("not JPEG, PNG or WebP, or an encoded body"),
        "422": failed("an image that does not decode"),
        ...overloaded,
      },
    },
  },
  "/v2": {
    get: {
      summary: "about the server (Open Inference Protocol)",
      responses: {
        "200": {
          description: "name, version and extensions",
          content: json(object({ name: string, version: string, extensions: list(string) })),
        },
      },
    },
  },
  "/v2/health/live": {
    get: {
      summary: "whether the server runs",
      responses: { "200": { description: "it does", content: json(object({ live: boolean })) } },
    },
  },
  "/v2/health/ready": {
    get: {
      summary: "whether every model answers requests",
      responses: { "200": { description: "they do", content: json(ref("ready")) }, "503": failed("why not") },
    },
  },
  "/v2/models/{model}": {
    get: {
      summary: "inputs and outputs of a model",
      parameters: [modelName],
      responses: {
        "200": {
          description: "as the protocol has it; properties are γ, classes and the height of training",
          content: json(
            object({
              ...{ name: string, platform: string, inputs: list(ref("tensor")), outputs: list(ref("tensor")) },
              properties: { type: "object", additionalProperties: string },
            }),
          ),
        },
        "404": failed("no such model"),
      },
    },
  },
  "/v2/models/{model}/ready": {
    get: {
      summary: "whether a model answers requests",
      parameters: [modelName],
      responses: {
        "200": { description: "it does", content: json(object({ name: string, ready: boolean })) },
        "404": failed("no such model"),
        "503": failed("why not"),
      },
    },
  },
  "/v2/models/{model}/infer": {
    post: {
      summary: "run a model on an image at its own size",
      description:
        "The input is UINT8 [1, height, width, 3]. Our own parameter gamma takes the place of the model's γ. Tensors may follow the JSON as bytes (binary tensor data extension).",
      parameters: [
        modelName,
        {
          name: "Inference-Header-Content-Length",
          in: "header",
          description: "bytes of JSON at the start of the body, where tensors follow it",
          schema: { type: "integer", minimum: 0 },
        },
      ],
      requestBody: {
        required: true,
        content: { "application/json": { schema: ref("inferRequest") }, "application/octet-stream": bytes },
      },
      responses: {
        "200": {
          description: "the tensors that were asked for",
          content: { ...json(ref("inferResponse")), "application/octet-stream": bytes },
        },
        "400": failed("a request that is not as the protocol has it"),
        "404": failed("no such model"),
        "413": failed("too many bytes, or too many pixels"),
        ...overloaded,
      },
    },
  },
  "/metrics": {
    get: {
      summary: "counters and histograms for Prometheus",
      responses: { "200": { description: "text", content: { "text/plain": { schema: string } } } },
    },
  },
  "/openapi.json": {
    get: { summary: "this list for machines (OpenAPI 3.1)", responses: { "200": { description: "the document" } } },
  },
  "/docs": {
    get: { summary: "this list for people", responses: { "200": { description: "a page" } } },
  },
};

const tensorFields = { name: string, shape: list({ type: "integer" }), datatype: string };
const parameters = { type: "object", additionalProperties: { type: ["string", "number", "boolean"] } };

/** The OpenAPI 3.1 document. */
export const openapi = () => ({
  openapi: "3.1.0",
  info: {
    title: "gssl serve",
    version: programVersion(),
    description: "Semantic segmentation with uncertainty, and the Open Inference Protocol v2.",
    license: { name: "MIT", identifier: "MIT" },
  },
  servers: [{ url: "/" }],
  security: [{}, { bearer: [] }, { basic: [] }],
  paths,
  components: {
    securitySchemes: { bearer: { type: "http", scheme: "bearer" }, basic: { type: "http", scheme: "basic" } },
    schemas: {
      error: object({ error: string, hint: string, code: string }, ["hint", "code"]),
      ready: object({ live: boolean, ready: boolean }),
      tensor: object(tensorFields),
      summary: object({
        ...{ model: string, width: { type: "integer" }, height: { type: "integer" }, gamma: orNull(number) },
        ...{ certainShare: orNull(share), distance: orNull(number), outOfDomain: orNull(boolean) },
        classes: list(object({ name: string, colour: list({ type: "integer" }), share, certainShare: orNull(share) })),
      }),
      inferRequest: object(
        {
          ...{ id: string, parameters },
          inputs: list(object({ ...tensorFields, parameters, data: { type: "array" } }, ["parameters", "data"])),
          outputs: list(object({ name: string, parameters }, ["parameters"])),
        },
        ["id", "parameters", "outputs"],
      ),
      inferResponse: object(
        {
          ...{ model_name: string, id: string },
          outputs: list(object({ ...tensorFields, parameters, data: { type: "array" } }, ["parameters", "data"])),
        },
        ["id"],
      ),
    },
  },
});
