import { relative } from "node:path";
import type { TextTable } from "../../report/textTable.js";
import { studyShift } from "../studies/studyShift.js";
import { studyThreshold } from "../studies/studyThreshold.js";
import { studyTransfer } from "../studies/studyTransfer.js";
import { OURS } from "./lines.js";
import type { Section } from "./writePage.js";

/** Folders of runs, in the order of the domains. */
export interface StudiedRuns {
  readonly source: string;
  readonly adapted: readonly string[];
  /** Of all domains but the first. */
  readonly curriculum: readonly string[];
}

/** Table 10, Fig. 6 and Table 11. `page` is the folder of the page, `to` where files go, `tests` the data sets in order. */
export async function studySections(
  { source, adapted, curriculum }: StudiedRuns,
  {
    tests,
    page,
    to,
  }: { readonly tests: readonly string[]; readonly page: string; readonly to: (name: string) => string },
): Promise<Section[]> {
  const written = (tables: readonly TextTable[]) => tables.map((table) => ({ file: null, table }));
  const threshold = await studyThreshold([adapted[0]!], { methods: [OURS], to: to("figure-6") });
  const boxes = {
    paper: "Figure 6",
    title: "Labelled images that a threshold takes",
    remark: "γ needs none. Other thresholds were chosen on random labelled images and measured on the rest.",
    images: threshold.files
      .filter((file) => file.endsWith(".svg"))
      .map((file) => ({ path: relative(page, file), about: "box plot of A_MD over the number of labelled images" })),
  };
  if (tests.length < 2) return [boxes];
  const models = [adapted[0]!, ...curriculum];
  // The plan knows where each run is at home, whatever its folders are called.
  const homes = new Map([
    ...adapted.map((folder, i) => [folder, tests[i]!] as const),
    ...curriculum.map((folder, i) => [folder, tests[i + 1]!] as const),
  ]);
  const shift = await studyShift([source, ...adapted], { order: tests, homes, to: to("table-10") });
  const alone = await studyShift(models, { order: tests, homes, methods: [OURS], to: to("table-10-curriculum") });
  const transfer = await studyTransfer(models, { homes, methods: [OURS], to: to("table-11") });
  return [
    {
      paper: "Table 10",
      title: "From one domain to the next",
      remark: "Change of each measure in percent; the last tables are those of the curriculum, γ-SSL_iL.",
      tables: written([...shift.tables, ...alone.tables]),
    },
    boxes,
    {
      paper: "Table 11",
      title: "The threshold of one domain in others",
      remark: "F0.5 at the threshold that is best in the domain a model was adapted to, beside the best there is.",
      tables: written(transfer.tables),
    },
  ];
}
