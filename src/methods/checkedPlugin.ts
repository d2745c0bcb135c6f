import type { Found, Reader } from "../data/datasets/reader.js";
import { labellingFaults } from "../data/labels/checkLabelling.js";
import type { Shape } from "../engine/tensor/shape.js";
import { UserError } from "../platform/errors.js";
import type { OnePassMethod } from "./parts/method.js";
import type { NetworkOutputs, Scored } from "./parts/networkOutputs.js";

type Refuse = (rule: string, cause?: unknown) => never;

/** Says which plugin broke which rule, in place of a stack of ours. */
const refuser =
  (file: string, name: string, hint: string): Refuse =>
  (rule, cause) => {
    throw new UserError(`the plugin ${file}: "${name}": ${rule}`, { hint, code: "bad-plugin", cause });
  };

const shown = (value: unknown): string =>
  (typeof value === "object" && value !== null ? (JSON.stringify(value) ?? "an object") : String(value)).slice(0, 60);

/** A reader of a user's whose answers are looked at: what it names must be there to be opened. */
export function checkedReader(reader: Reader, file: string): Reader {
  const refuse = refuser(file, reader.name, "docs/data.md says what a reader returns");
  return {
    ...reader,
    async open(...given) {
      let found: unknown;
      try {
        found = await reader.open(...given);
      } catch (cause) {
        if (cause instanceof UserError) throw cause;
        refuse(`open() failed: ${messageOf(cause)}`, cause);
      }
      return foundBy(found, refuse);
    },
  };
}

function foundBy(found: unknown, refuse: Refuse): Found {
  if (typeof found !== "object" || found === null)
    refuse(`open() gives ${shown(found)}, wanted { items, labelling, problems }`);
  const { items, labelling, problems } = found as Record<keyof Found, unknown>;
  for (const [key, list] of Object.entries({ items, problems })) {
    if (!Array.isArray(list)) refuse(`${key} is ${shown(list)}, wanted a list`);
  }
  const ids = new Set<string>();
  for (const [k, item] of (items as readonly unknown[]).entries()) {
    const { id, image, labels } = (item ?? {}) as Record<"id" | "image" | "labels", unknown>;
    for (const [key, value] of Object.entries({ id, image })) {
      if (typeof value !== "string" || value === "") refuse(`items[${k}].${key} is ${shown(value)}, wanted a text`);
    }
    if (labels !== null && typeof labels !== "string")
      refuse(`items[${k}].labels is ${shown(labels)}, wanted a path or null`);
    if (ids.has(id as string)) refuse(`items[${k}].id is ${shown(id)}, as that of an item before`);
    ids.add(id as string);
  }
  if (labelling !== null) {
    const { classes, rule } = (labelling ?? {}) as { classes?: { classes?: unknown }; rule?: { meaning?: unknown } };
    if (!Array.isArray(classes?.classes) || typeof rule?.meaning !== "object") {
      refuse(`labelling is ${shown(labelling)}, wanted null or { classes, rule }`);
    }
    const [fault] = labellingFaults(labelling as NonNullable<Found["labelling"]>);
    if (fault !== undefined) refuse(`labelling: ${fault}`);
  }
  return found as Found;
}

/** A method of a user's whose maps are looked at when a program is built of them, before an image is. */
export function checkedMethod(method: OnePassMethod, file: string): OnePassMethod {
  const refuse = refuser(file, method.name, "docs/baselines.md says what score() returns");
  return {
    ...method,
    score(outputs, ...given) {
      let scored: unknown;
      try {
        scored = method.score(outputs, ...given);
      } catch (cause) {
        if (cause instanceof UserError) throw cause;
        refuse(`score() failed: ${messageOf(cause)}`, cause);
      }
      return scoredBy(scored, outputs, refuse);
    },
  };
}

function scoredBy(scored: unknown, { predicted }: NetworkOutputs, refuse: Refuse): Scored {
  const wanted = { predicted: "int64", uncertainty: "float32" } as const;
  const size = predicted.shape;
  for (const [key, dtype] of Object.entries(wanted)) {
    const map = (scored as Partial<Record<string, { type?: { dtype?: unknown; shape?: Shape } }>> | null)?.[key];
    const type = map?.type;
    if (type?.shape === undefined) refuse(`score() gives ${shown(map)} as ${key}, wanted a value made of its ops`);
    if (type!.dtype !== dtype || type!.shape!.join() !== size.join()) {
      refuse(
        `score() gives ${key} as ${type!.dtype}[${type!.shape!.join(", ")}], wanted ${dtype}[${size.join(", ")}]: a number for each pixel`,
      );
    }
  }
  return scored as Scored;
}

const messageOf = (cause: unknown): string =>
  (cause instanceof Error ? cause.message.split("\n")[0]! : String(cause)).slice(0, 200);
