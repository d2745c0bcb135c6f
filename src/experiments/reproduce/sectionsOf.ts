import { join } from "node:path";
import { ablationSections, prototypeSection } from "./ablationSections.js";
import { exampleSection } from "./exampleSection.js";
import { mainSections, unseenSection } from "./mainSections.js";
import type { Measured } from "./measured.js";
import type { ReproductionPlan } from "./plan.js";
import { type PaperPart, runNames } from "./plannedRuns.js";
import type { Section } from "./section.js";
import { studySections } from "./studySections.js";
import { pageFolders } from "./writePage.js";

/** All tables and figures of a reproduction, in the order of the paper. */
export async function sectionsOf(
  plan: ReproductionPlan,
  measured: Measured,
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
