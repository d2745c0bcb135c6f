import { knownHint } from "../../platform/nearest.js";
import { ServingError } from "../http/servingError.js";
import { type Output, outputs } from "../process/job.js";
import { negotiate } from "./negotiate.js";

/** What `/v1/segment` is asked, besides the image. */
interface SegmentRequest {
  readonly model: string | undefined;
  readonly output: Output;
  readonly type: "image/png" | "image/jpeg";
  readonly gamma: number | undefined;
  /** Content-Type of the body where it is a form that holds the image. */
  readonly form: string | undefined;
}

const known = ["model", "gamma", "output"];

/** What is answered where only the type was asked for. */
const byType = { "application/json": "summary", "image/png": "classes", "image/jpeg": "overlay" } as const;

/** Types that an output has, the usual one first. */
const typesOf = (output: Output): readonly (keyof typeof byType)[] => {
  if (output === "summary") return ["application/json"];
  return output === "classes" || output === "uncertainty" ? ["image/png"] : ["image/png", "image/jpeg"];
};

/** Read query and headers. Each parameter once, and none that does not exist: a typing error would go unseen. */
export function segmentRequest(
  query: Readonly<Record<string, readonly string[]>>,
  headers: Readonly<Record<string, string>>,
): SegmentRequest {
  for (const [name, values] of Object.entries(query)) {
    if (!known.includes(name))
      throw refuse(`there is no parameter "${name.slice(0, 100)}"`, knownHint(name.slice(0, 100), known));
    if (values.length > 1) throw refuse(`${name} is given ${values.length} times`);
  }
  const content = headers["content-type"] ?? "";
  const [asked, gamma] = [query.output?.[0], query.gamma?.[0]];
  const output = outputs.find((one) => one === asked);
  if (asked !== undefined && output === undefined) {
    throw refuse(`output is "${asked.slice(0, 100)}"`, knownHint(asked.slice(0, 100), outputs));
  }
  const offers = output === undefined ? (Object.keys(byType) as (keyof typeof byType)[]) : typesOf(output);
  const type = negotiate(headers.accept, offers);
  if (type === undefined) throw new ServingError(406, `Accept takes none of ${offers.join(", ")}`);
  return {
    model: query.model?.[0],
    output: output ?? byType[type],
    type: type === "application/json" ? "image/png" : type,
    gamma: gamma === undefined ? undefined : gammaIn(gamma),
    form: /^multipart\/form-data\b/i.test(content) ? content : undefined,
  };
}

function gammaIn(text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !Number.isFinite(value)) throw refuse(`gamma is "${text.slice(0, 100)}", wanted a number`);
  return value;
}

const refuse = (message: string, hint?: string): ServingError =>
  new ServingError(400, message, { ...(hint !== undefined && { hint }) });
