import { basename } from "node:path";
import { z } from "zod";
import { UserError } from "../../platform/errors.js";
import { readJsonIfThere } from "../../platform/json.js";
import { sha256 } from "../../platform/seal.js";

/** What of `model.json` tells which file it describes. */
const schema = z.looseObject({ file: z.string(), sha256: z.string() });

/** Refuse a model that is not the one its `model.json` describes, where there is one beside it. */
export async function requireDescribed(bytes: Uint8Array, file: string): Promise<void> {
  const beside = file.replace(/\.onnx$/, ".json");
  if (beside === file) return;
  const hint = "gssl export writes both anew; without the .json the model is taken as it is";
  const told = await readJsonIfThere(beside, { schema, hint });
  if (told === null || told.file !== basename(file)) return;
  const found = sha256(bytes);
  if (told.sha256 === found) return;
  throw new UserError(
    `${file}: its sha256 is ${found.slice(0, 12)}…, and ${beside} describes ${told.sha256.slice(0, 12)}…: one of them is another model's`,
    { hint, code: "not-a-model" },
  );
}
