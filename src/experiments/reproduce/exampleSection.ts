import { copyFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { makeFolder } from "../../platform/files.js";
import { sampleFile, sampleSteps } from "../../runs/samples.js";
import type { Section } from "./section.js";

/** Fig. 8: what runs predict for images of the domain that they were adapted to. */
export async function exampleSection(
  runs: readonly { readonly domain: string; readonly folder: string }[],
  { page, to }: { readonly page: string; readonly to: string },
): Promise<Section> {
  await makeFolder(to);
  const images = [];
  for (const { domain, folder } of runs) {
    const last = (await sampleSteps(folder)).at(-1);
    if (last === undefined) continue;
    const path = join(to, `figure-8-${domain}.jpg`);
    await copyFile(join(folder, sampleFile(last)), path);
    images.push({ path: relative(page, path), about: `three images of ${domain}` });
  }
  return {
    paper: "Figure 8",
    title: "Examples",
    remark: "The image, its segmentation, and the segmentation without the pixels that γ calls uncertain.",
    images,
  };
}
