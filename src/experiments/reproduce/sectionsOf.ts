import { copyFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { makeFolder } from "../../platform/files.js";
import { sampleFile, sampleSteps } from "../../runs/samples.js";
import { paperOf } from "../paper/paperOf.js";
import { studyPaper } from "../paper/studyPaper.js";
import { ablationSections, prototypeSection } from "./ablationSections.js";
import type { ReproducedResults } from "./lines.js";
import { mainSections, unseenSection } from "./mainSections.js";
import type { ReproductionPlan } from "./plan.js";
import { type PaperPart, type PlannedRun, runNames } from "./plannedRuns.js";
import { studySections } from "./studySections.js";
import { pageFolders, type Section } from "./writePage.js";

/** All tables and figures of a reproduction, in the order of the paper. */
export async function sectionsOf(
  plan: ReproductionPlan,
  measured: ReproducedResults,
  {
    to,
    folder,
    skip,
    specs,
  }: { to: string; folder: string; skip: readonly PaperPart[]; specs: ReadonlyMap<string, string> },
): Promise<Section[]> {
  const names = plan.domains.map(({ name }) => name);
  const at = (run: string): string => join(folder, run);
  const runs = {
    source: at(runNames.source),
    adapted: names.map((name) => at(runNames.adapted(name))),
    curriculum: names.slice(1).map((name) => at(runNames.curriculum(name))),
  };
  const tests = names.map((name) => specs.get(name)!);
  const figures = join(to, pageFolders.figures);
  return [
    ...(await mainSections(plan, measured)),
    ...(await studySections(runs, { tests, page: to, to: (name) => join(to, pageFolders.tables, name) })),
    ...(plan.unseen.length === 0 ? [] : [await unseenSection(plan, measured)]),
    await exampleSection(
      [...names, ...plan.further.map(({ name }) => name)].map((domain) => ({
        domain,
        folder: at(runNames.adapted(domain)),
      })),
      { page: to, to: figures },
    ),
    ...(skip.includes("ablations") ? [] : await ablationSections(plan, measured)),
    ...(skip.includes("prototypes") ? [] : [prototypeSection(plan, measured)]),
  ];
}

/** Fig. 8: what runs predict for images of the domain that they were adapted to. */
async function exampleSection(
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

/** The paper's own numbers beside ours; nothing where the images are others. */
export async function paperSection(
  runs: readonly PlannedRun[],
  measured: ReproducedResults,
  { folder, to }: { readonly folder: string; readonly to: string },
): Promise<Section[]> {
  const compared = runs.filter(({ name, config }) =>
    measured.all().some(({ run, result }) => run === name && paperOf(result, config).length > 0),
  );
  if (compared.length === 0) return [];
  const { tables } = await studyPaper(
    compared.map(({ name }) => join(folder, name)),
    { to },
  );
  return [
    {
      paper: "All tables",
      title: "Ours and the paper's",
      remark: "Of every result that the paper has as well.",
      tables: tables.map((table) => ({ file: null, table })),
    },
  ];
}
