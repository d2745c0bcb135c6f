import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { withFolder } from "../../../test/folders.js";
import { pixels, writtenRun } from "../../experiments/studies/testing/writtenRun.js";
import { typed } from "../terminal/testing/typed.js";

const images = [pixels([0.1, 0.2], [0.3, 0.4]), pixels([0.1, 0.4], [0.2, 0.3])];
const run = (folder: string) =>
  writtenRun(
    join(folder, "mine"),
    ["town", "forest"].flatMap((place) =>
      ["max-softmax", "gamma-ssl"].map((method) => ({ dataset: `scenes:${place}?split=test`, method, images })),
    ),
    ["scenes:town?split=train"],
  );

test("study threshold prints a table and the files; --json and --csv print rows and nothing else", () =>
  withFolder(async (folder) => {
    const mine = await run(folder);
    const study = ["study", "threshold", mine, "--labelled", "1", "--trials", "9", "--methods", "gamma-ssl"];
    const { out } = await typed(...study);
    expect(out).toMatch(/scenes:town: A_MD where .*\nmethod +n +median +middle half\ngamma-ssl +1 +0\.\d{3} /);
    expect(out).toContain(join(mine, "studies", "threshold-amd-scenes-town.svg"));
    const rows = JSON.parse((await typed(...study, "--json", "--objective", "f05")).out);
    expect(rows).toHaveLength(2);
    expect(rows[0]).toMatchObject({ run: "mine", method: "gamma-ssl", objective: "f05", labelled: 1, trials: 9 });
    const { out: csv } = await typed(...study, "--csv", "--to", join(folder, "elsewhere"));
    expect(csv).toBe(await readFile(join(folder, "elsewhere", "threshold-amd.csv"), "utf8"));
    await expect(typed(...study, "--csv", "--json")).rejects.toThrow("--json and --csv at once");
    await expect(typed("study", "threshold", mine, "--labelled", "0,1")).rejects.toThrow('--labelled is "0"');
    await expect(typed("study", "threshold", mine, "--objective", "f5")).rejects.toMatchObject({
      hint: 'did you mean "f05"? known: amd, f05',
    });
  }));

test("study transfer and study shift take data sets by a part of their names", () =>
  withFolder(async (folder) => {
    const mine = await run(folder);
    expect((await typed("study", "transfer", mine)).out).toMatch(
      /gamma-ssl \(mine\): threshold .* best on scenes:town\n/,
    );
    expect((await typed("study", "transfer", mine, "--own", "forest")).out).toContain("best on scenes:forest");
    const { out } = await typed("study", "shift", mine, "--order", "town", "forest");
    expect(out).toMatch(/change in % from scenes:town to scenes:forest\nmethod +accuracy/);
    expect(out).toMatch(/gamma-ssl +0\.0 /);
  }));

test("study paper prints our numbers beside the paper's, and without runs the paper's alone", () =>
  withFolder(async (folder) => {
    const dataset = "sax:data/sax?domain=london";
    const results = ["vim", "gamma-ssl"].map((method) => ({ dataset, method, images }));
    const settings = { source: "cityscapes:data/cityscapes" };
    const mine = await writtenRun(join(folder, "mine"), results, [`${dataset}&split=train`], settings);
    const { out } = await typed("study", "paper", mine);
    expect(out).toMatch(
      /SAX London: .*\nmethod +accuracy +paper +diff +AUROC .*\nViM .*\nγ-SSL +0\.500 +0\.703 +-0\.203 /,
    );
    expect(out).toContain(join(mine, "studies", "paper.csv"));
    const { out: csv } = await typed("study", "paper", mine, "--csv", "--methods", "vim");
    expect(csv.split("\n")).toHaveLength(6);
    // compare prints them below its own table, and nothing where the paper has none of them.
    const { out: compared } = await typed("compare", mine);
    expect(compared).toMatch(
      /^method +accuracy .*\n[\s\S]*SAX London: [\s\S]*γ-SSL +0\.500 +0\.703 +-0\.203 [\s\S]*next: /m,
    );
    const other = await run(folder);
    expect((await typed("compare", other)).out).not.toContain("SAX");
    await expect(typed("study", "paper", other)).rejects.toThrow("the paper has no numbers of");
    const alone = await typed("study", "paper");
    expect(alone.out).toMatch(
      /^Table 2: AUROC, source Cityscapes\nmethod +LDN +NF +SCOT +KITTI +BDD\nEns-PE_5 +0\.630 /,
    );
    expect(JSON.parse((await typed("study", "paper", "--json", "--methods", "gamma-ssl")).out)[0]).toMatchObject({
      method: "γ-SSL",
      paper: 0.895,
    });
  }));
