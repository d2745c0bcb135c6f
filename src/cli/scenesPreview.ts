import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { previewSheet } from "../data/scenes/preview.js";
import { domains, isDomain } from "../data/scenes/spec.js";
import { UserError } from "../platform/errors.js";
import { print } from "../platform/print.js";
import { wholeNumber } from "./wholeNumber.js";

export async function scenesPreview(places: readonly string[], options: { to: string; seed: string }): Promise<void> {
  const seed = wholeNumber("seed", options.seed, [0, 2 ** 31 - 1]);
  const known = Object.keys(domains).filter(isDomain);
  const wanted = places.length === 0 ? known : places.map(requirePlace);
  await mkdir(options.to, { recursive: true });
  for (const place of wanted) {
    const path = join(options.to, `${place}.png`);
    await writeFile(path, await previewSheet(place, { seed }));
    print(path);
  }
}

function requirePlace(name: string): keyof typeof domains {
  if (!isDomain(name)) {
    throw new UserError(`scenes preview: there is no place "${name}"`, {
      hint: `known: ${Object.keys(domains).join(", ")}`,
    });
  }
  return name;
}
