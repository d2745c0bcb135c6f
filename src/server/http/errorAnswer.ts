import { MODEL_OUTPUT, RUNTIME_FAILED } from "../../engine/runtime/ortProgram.js";
import { UserError } from "../../platform/errors.js";
import { ServingError } from "./servingError.js";

/** What the code of an error means to a client; 400 where none is listed. */
const statuses: Readonly<Record<string, number>> = {
  "image-damaged": 422,
  "image-unsupported": 415,
  "image-too-large": 413,
  [MODEL_OUTPUT]: 500,
  [RUNTIME_FAILED]: 500,
};

/** No client reads it: it has gone. */
const CLIENT_GONE = 499;

/** An error as it is answered: in full where the caller can correct it, without details where it is our own. */
export function errorAnswer(error: unknown): Response {
  if (error instanceof Error && error.name === "AbortError")
    return failure(CLIENT_GONE, { error: "the client has gone" });
  if (!(error instanceof UserError)) return failure(500, { error: "the server failed; its log says why" });
  const { message, hint, code } = error;
  const body = { error: message, ...(hint !== undefined && { hint }), ...(code !== undefined && { code }) };
  if (error instanceof ServingError) return failure(error.status, body, error.headers);
  return failure(statuses[code ?? ""] ?? 400, body);
}

const failure = (status: number, body: object, headers: Readonly<Record<string, string>> = {}): Response =>
  new Response(`${JSON.stringify(body)}\n`, { status, headers: { ...headers, "Content-Type": "application/json" } });
