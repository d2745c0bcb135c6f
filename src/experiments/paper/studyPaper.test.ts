import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { withFolder } from "../../../test/folders.js";
import type { Pixel } from "../../metrics/testing/reference.js";
import { textTables } from "../../report/textTable.js";
import { pixels, type WrittenResult, writtenRun } from "../studies/testing/writtenRun.js";
import { studyPaper } from "./studyPaper.js";

const city = { source: "cityscapes:data/cityscapes?split=train" };
const london = "sax:data/sax?domain=london&split=test";
const scotland = "sax:data/sax?domain=scotland&split=test";
const target = (dataset: string) => dataset.replace("split=test", "split=train");

const image = pixels([0.1, 0.2, 0.35], [0.3]);
const result = (dataset: string, method: string): WrittenResult => ({ dataset, method, images: [image] });

test("R-1: our numbers, the paper's and the difference, by hand", () =>
  withFolder(async (folder) => {
    const run = await writtenRun(join(folder, "mine"), [result(london, "gamma-ssl")], [target(london)], city);
    const { rows, files, csv } = await studyPaper([run]);
    const shown = rows.map(({ place, measure, ours, paper, difference }) => [
      `${place} ${measure}`,
      ...[ours, paper, difference].map((value) => value!.toFixed(4)),
    ]);
    expect(shown).toEqual([
      ["section VIII accuracy", "0.7500", "0.7030", "0.0470"], // 3 of 4
      ["Table 2 auroc", "0.6667", "0.8950", "-0.2283"], // 2 of 3 pairs
      // At 500 thresholds the curve is (0, 0), (1/3, 1), (2/3, 1), (2/3, 2/3), (1, 3/4): 1/6 + 1/3 + 17/72
      ["Table 3 aupr", "0.7361", "0.9490", "-0.2129"],
      ["Table 4 maxAmd", "0.7500", "0.8300", "-0.0800"], // all certain: 3 of 4
      ["Table 5 maxF05", "0.9091", "0.8930", "0.0161"], // two certain: precision 1, recall 2/3
    ]);
    expect(rows[0]).toMatchObject({
      source: "Cityscapes",
      domain: "LDN",
      method: "γ-SSL",
      run: "mine",
      dataset: london,
    });
    const pacs = rows.map(({ oursPac, paperPac, differencePac }) => [oursPac, paperPac, differencePac?.toFixed(3)]);
    expect(pacs.slice(2)).toEqual([
      [null, null, undefined],
      [0.75, 0.625, "0.125"],
      [0.5, 0.548, "-0.048"],
    ]);
    expect(files).toEqual([join(run, "studies", "paper.csv")]);
    expect(await readFile(files[0]!, "utf8")).toBe(csv);
    expect(csv.split("\n")[2]).toMatch(
      /^Table 2,Cityscapes,LDN,γ-SSL,auroc,0\.895,,mine,sax:.*,0\.666\d+,,-0\.228\d+,$/,
    );
  }));

test("tables are per source and data set, methods in the paper's order; several runs of one have their names", () =>
  withFolder(async (folder) => {
    const one = await writtenRun(
      join(folder, "one"),
      [result(scotland, "vim"), result(london, "gamma-ssl"), result(london, "vim"), result(london, "ensemble-pe-5")],
      [target(london)],
      city,
    );
    const two = await writtenRun(join(folder, "two"), [result(london, "gamma-ssl")], [target(london)], {
      ...city,
      profile: "paper",
    });
    const { tables } = await studyPaper([two, one]);
    expect(tables.map(({ title, rows }) => [title, ...rows.map(({ cells }) => cells[0])])).toEqual([
      [
        `accuracy, AUROC, AUPR, source Cityscapes, SAX London: ${london}`,
        "Ens-PE_5",
        "ViM",
        "γ-SSL (two)",
        "γ-SSL (one)",
      ],
      [`MaxA_MD, MaxF0.5, source Cityscapes, SAX London: ${london}`, "Ens-PE_5", "ViM", "γ-SSL (two)", "γ-SSL (one)"],
      [`AUROC, AUPR, source Cityscapes, SAX Scotland: ${scotland}`, "ViM"],
      [`MaxA_MD, MaxF0.5, source Cityscapes, SAX Scotland: ${scotland}`, "ViM"],
    ]);
    const text = textTables(tables).split("\n");
    expect(text.slice(1, 4)).toEqual([
      "method       accuracy  paper  diff    AUROC  paper  diff    AUPR   paper  diff",
      "Ens-PE_5     -         -      -       0.667  0.630  +0.037  0.736  0.714  +0.022",
      "ViM          -         -      -       0.667  0.635  +0.032  0.736  0.705  +0.031",
    ]);
    expect(Math.max(...text.filter((line) => !line.includes(": ")).map((line) => line.length))).toBeLessThan(100);
    expect(tables.slice(0, -1).flatMap(({ notes }) => notes)).toEqual([]);
    expect(tables.at(-1)!.notes).toEqual([
      "diff: ours less the paper's; AUPR: ours at 500 thresholds, as the authors' tester computes it",
      "two: profile paper, images 480 pixels high, 160000 steps",
      expect.stringMatching(
        /^one: profile small, settings differ from the paper's in \d+ groups .*, images 192 \(480\) pixels high, 4600 \(160000\) steps$/,
      ),
    ]);
  }));

test("runs of one name in two folders have a row each", () =>
  withFolder(async (folder) => {
    const written = (name: string, image: Pixel[]) =>
      writtenRun(join(folder, name, "run"), [{ dataset: london, method: "vim", images: [image] }], undefined, city);
    const runs = [await written("b", image), await written("a", pixels([0.1], [0.2]))];
    const { tables, rows } = await studyPaper(runs);
    expect(tables[0]!.rows.map(({ cells }) => cells.slice(0, 2))).toEqual([
      ["ViM (run)", "0.667"],
      ["ViM (run)", "1.000"],
    ]);
    expect(rows).toHaveLength(8);
  }));

test("a supervised run has the paper's baselines; results without a config have no source", () =>
  withFolder(async (folder) => {
    const run = await writtenRun(join(folder, "a"), [result(london, "vim")], undefined, { source: "bdd:data/bdd" });
    const { rows, tables } = await studyPaper([run]);
    expect(rows.map(({ source, method, paper }) => [source, method, paper])).toEqual(
      [0.663, 0.799, 0.662, 0.732].map((paper) => ["BDD", "ViM", paper]),
    );
    expect(tables.at(-1)!.notes[1]).toBe("a: supervised, images 256 (480) pixels high, 2000 (64000) steps");
    const scored = await writtenRun(join(folder, "scored"), [result(london, "vim")]);
    await expect(studyPaper([scored])).rejects.toThrow(`vim on ${london} (scored, source unknown)`);
  }));

test("notes say where a run has no first stage, and where other pixels were scored", () =>
  withFolder(async (folder) => {
    const settings = { ...city, profile: "paper", options: { training: { pretraining: 0, adaptation: 500 } } };
    const results = [{ ...result(scotland, "gamma-ssl"), policy: "official" } as const];
    const run = await writtenRun(join(folder, "iL"), results, [target(london), target(scotland)], settings);
    const { rows, tables } = await studyPaper([run]);
    expect(rows.map(({ method, paper }) => [method, paper])).toEqual(
      [0.859, 0.887, 0.781, 0.826].map((paper) => ["γ-SSL_iL", paper]),
    );
    expect(tables.at(-1)!.notes.slice(1)).toEqual([
      "iL: profile paper, settings differ from the paper's in 1 group (gssl train prints them), images 480 pixels high, 1000 (256000) steps, no first stage of its own",
      "some results are of policy official, not paper: they score other pixels",
    ]);
  }));

test("what the paper does not have is left out with one note; where that is all, it is refused", () =>
  withFolder(async (folder) => {
    const others = ["energy", "entropy", "gmm", "knn"].map((method) => result(london, method));
    const some = await writtenRun(join(folder, "some"), [...others, result(london, "vim")], undefined, city);
    const notes: string[] = [];
    const { rows } = await studyPaper([some], { onNote: (note) => void notes.push(note) });
    expect(new Set(rows.map(({ method }) => method))).toEqual(new Set(["ViM"]));
    expect(notes).toEqual([
      expect.stringMatching(
        /^left out: energy on sax:.* \(some, source cityscapes:.*\), .* and 1 more; the paper has runs/,
      ),
    ]);
    const drawn = await writtenRun(join(folder, "drawn"), [result("scenes:town", "gamma-ssl")], ["scenes:town"]);
    await expect(studyPaper([drawn])).rejects.toMatchObject({
      message: "the paper has no numbers of gamma-ssl on scenes:town (drawn, source scenes:city?split=train)",
      hint: expect.stringContaining(
        "source cityscapes: on sax (london, new-forest, scotland), kitti, bdd and wilddash",
      ),
    });
  }));

test("without runs it is the paper's own tables, and nothing is written unless a folder is named", () =>
  withFolder(async (folder) => {
    const { rows, tables, files } = await studyPaper();
    expect(files).toEqual([]);
    // Tables 2 to 5, 6 to 9, 13, 14; sections X and VIII: accuracies, WildDash.
    expect(rows).toHaveLength(4 * 72 + 4 * 44 + 4 * 21 + 10 + 4 + 11 + 4);
    expect(rows[0]).toEqual({
      ...{ place: "Table 2", source: "Cityscapes", domain: "LDN", method: "Ens-PE_5", measure: "auroc" },
      ...{ paper: 0.63, paperPac: null, run: "", dataset: "" },
      ...{ ours: null, oursPac: null, difference: null, differencePac: null },
    });
    expect(tables.map(({ title }) => title)).toContain("Table 9: MaxF0.5 @ p(a,c), source BDD");
    const struck = tables
      .flatMap(({ rows }) => rows)
      .flatMap(({ cells }) => cells.filter((cell) => typeof cell !== "string"));
    expect(struck.map((cell) => (cell as { text: string }).text)).toEqual([
      "0.649 @ 0.000",
      "0.604 @ 0.000",
      "0.864 @ 0.000",
      "0.902 @ 0.000",
    ]);
    const some = await studyPaper([], { methods: ["vim", "no-sax"], to: folder });
    expect(new Set(some.rows.map(({ method }) => method))).toEqual(new Set(["ViM", "NoSAX"]));
    expect(some.files).toEqual([join(folder, "paper.csv")]);
    await expect(studyPaper([], { methods: ["vin"] })).rejects.toMatchObject({
      message: 'the paper has no numbers of "vin"',
      hint: expect.stringContaining('did you mean "ViM"?'),
    });
  }));
