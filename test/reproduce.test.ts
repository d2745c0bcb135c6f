import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findResults } from "../src/evaluation/results/findResults.js";

const SIZE = "height=32&width=64";
const drawn = (place: string, split: string, count: number): string =>
  `scenes:${place}?split=${split}&count=${count}&seed=1&${SIZE}`;
const domain = (name: string) => ({ name, train: drawn(name, "train", 4), test: drawn(name, "test", 3) });
const plan = {
  settings: {
    source: drawn("city", "train", 6),
    view: { height: 32, crop: [32, 48] },
    options: {
      network: { width: 0.125, features: 16 },
      batch: { source: 2, prototype: 2, target: 2 },
      training: { pretraining: 3, adaptation: 4 },
    },
  },
  sourceVal: drawn("city", "val", 3),
  domains: [domain("town"), domain("forest")],
  further: [domain("dusk")],
  unseen: [{ name: "night", test: drawn("night", "test", 3) }],
  methods: "max-softmax,vim,energy,no-ssl",
};

let root: string;
const reproduce = async (name: string, change: object = {}, ...flags: string[]): Promise<string> => {
  const path = join(root, `${name}.json`);
  await writeFile(path, JSON.stringify({ ...plan, ...change }));
  const args = [
    "reproduce",
    path,
    "--to",
    join(root, name),
    "--cache",
    join(root, "cache"),
    "--threads",
    "1",
    ...flags,
  ];
  return (await promisify(execFile)("node", ["dist/cli/main.js", ...args])).stdout;
};
const read = (...path: string[]): Promise<string> => readFile(join(root, ...path), "utf8");

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "reproduce-"));
  await reproduce("whole", {}, "--skip", "timing");
}, 600_000);
afterAll(() => rm(root, { recursive: true, force: true }));

test("R-2: one command writes each table and figure of the paper, with the numbers of the results", async () => {
  const page = await read("whole", "reproduction.html");
  const headings = [...page.matchAll(/<h2[^>]*>([^.]+)\./g)].map(([, paper]) => paper);
  expect(headings).toEqual([
    ...["Figure 5", "Table 2", "Table 3", "Table 4", "Table 5", "Section VIII", "Table 10", "Figure 6", "Table 11"],
    ...["Figure 7", "Figure 8", "Table 13", "Figure 9", "Section X", "Table 14"],
  ]);
  const images = [...page.matchAll(/<img src="([^"]+)"/g)].map(([, path]) => path!);
  expect(images.length).toBe(4 * (3 + 1 + 2) + 4 + 3); // curves of Figures 5, 7 and 9, boxes, examples
  for (const path of images) expect(existsSync(join(root, "whole", path)), path).toBe(true);
  const aurocOf = async (run: string, place: string, method: string): Promise<string> => {
    const found = await findResults(join(root, "whole", "runs", run), () => {});
    const own = found.find(({ result }) => result.dataset.includes(`:${place}?`) && result.method === method);
    return String(own!.result.auroc);
  };
  const table = (await read("whole", "tables", "table-2-auroc.csv")).split("\n").map((line) => line.split(","));
  const cells = (label: string): string[] => table.find((line) => line[1] === label)!;
  expect(table[0]!.filter((head) => !/Low|High/.test(head))).toEqual(["table", "method", "town", "forest", "dusk"]);
  const [town, forest] = [table[0]!.indexOf("town"), table[0]!.indexOf("forest")];
  expect(cells("ViM")[forest]).toBe(await aurocOf("source", "forest", "vim"));
  expect(cells("γ-SSL")[town]).toBe(await aurocOf("gamma-ssl-town", "town", "gamma-ssl"));
  expect(cells("γ-SSL")[forest]).toBe(await aurocOf("gamma-ssl-forest", "forest", "gamma-ssl"));
  expect(cells("γ-SSL_iL")[town]).toBe("");
  expect(cells("γ-SSL_iL")[forest]).toBe(await aurocOf("curriculum-forest", "forest", "gamma-ssl"));
  const ablated = (await read("whole", "tables", "table-13-auroc.csv")).split("\n").map((line) => line.split(","));
  const noSax = ablated.find((line) => line[1] === "NoSAX")!;
  expect(noSax[ablated[0]!.indexOf("forest")]).toBe(await aurocOf("no-sax", "forest", "gamma-ssl"));
  expect((await read("whole", "tables", "table-14.txt")).match(/^batch size/gm)).toHaveLength(5);
});

test("R-2: the same plan gives the same bytes, again and in another folder", async () => {
  const files = async (name: string): Promise<Map<string, string>> => {
    const paths = (await readdir(join(root, name), { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile() && !entry.parentPath.includes(`${name}/runs`))
      .map((entry) => join(entry.parentPath, entry.name));
    const found = await Promise.all(
      paths.map(async (path) => [path.slice(join(root, name).length), await readFile(path, "latin1")] as const),
    );
    return new Map(found);
  };
  const first = await files("whole");
  await reproduce("whole", {}, "--skip", "timing");
  expect(await files("whole")).toEqual(first);
  await reproduce("part", {}, "--skip", "ablations,prototypes,timing");
  const part = await files("part");
  part.delete("/reproduction.html"); // without ablations
  expect(part.size).toBeGreaterThan(80);
  for (const [path, bytes] of part) expect(bytes === first.get(path), path).toBe(true);
});

test("R-2: a test that was trained on is refused before the first training, and a dry run writes nothing", async () => {
  const leaking = { unseen: [{ name: "seen", test: plan.settings.source }] };
  await expect(reproduce("leak", leaking)).rejects.toThrow(/training has seen images of scenes:city/);
  expect(existsSync(join(root, "leak", "runs"))).toBe(false);
  expect(await reproduce("dry", {}, "--dry-run", "--skip", "ablations,prototypes")).toContain(
    "       8 steps  curriculum-forest\n",
  );
  expect(existsSync(join(root, "dry"))).toBe(false);
});
