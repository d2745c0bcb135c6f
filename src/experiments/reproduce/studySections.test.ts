import { join } from "node:path";
import { expect, test } from "vitest";
import { withFolder } from "../../../test/folders.js";
import { pixels, writtenRun } from "../studies/testing/writtenRun.js";
import { studySections } from "./studySections.js";

/** Images of two folders: nothing in their names tells which of them a run was adapted to. */
const tests = ["folder:/images/quarry?images=img&labels=gt", "folder:/images/harbour?images=img&labels=gt"];
const images = [pixels([0.1, 0.2], [0.3]), pixels([0.1, 0.3], [0.2, 0.25]), pixels([0.05], [0.4])];
const results = tests.map((dataset) => ({ dataset, method: "gamma-ssl", images, gamma: 0.15 }));

test("R-2: the tables of domains need nothing but the plan to know which run is at home where", () =>
  withFolder(async (root) => {
    const run = (name: string) => writtenRun(join(root, name), results, [`folder:/frames/${name}`]);
    const softmax = results.map((one) => ({ ...one, method: "max-softmax" }));
    const sections = await studySections(
      {
        source: await writtenRun(join(root, "source"), softmax),
        adapted: [await run("quarry"), await run("harbour")],
        curriculum: [await run("both")],
      },
      { tests, page: root, to: (name) => join(root, name) },
    );
    const of = (paper: string) => sections.find((one) => one.paper === paper)!.tables!.map(({ table }) => table);
    expect(sections.map(({ paper }) => paper)).toEqual(["Table 10", "Figure 6", "Table 11"]);
    // One row for γ-SSL, of the run at home on either side; not one for each run.
    const [shift] = of("Table 10");
    expect(JSON.stringify(shift)).toContain('"gamma-ssl"');
    expect(JSON.stringify(shift)).not.toContain("gamma-ssl (");
    expect(of("Table 11").map((table) => ("title" in table ? table.title.split(":")[0] : ""))).toEqual([
      "gamma-ssl (quarry)",
      "gamma-ssl (both)",
    ]);
    expect(JSON.stringify(of("Table 11")[1])).toMatch(/best on folder:[^"]*harbour/);
  }));
