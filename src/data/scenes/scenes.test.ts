import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { UserError } from "../../platform/errors.js";
import { DRAWING_VERSION } from "./cache.js";
import { drawScene, type Scene } from "./drawScene.js";
import { openScenes } from "./scenes.js";
import { checkSpec, type DomainName, domains, formatScenes, parseScenes } from "./spec.js";
import { classes, UNKNOWN_ID } from "./world/classes.js";

const small = { height: 64, width: 128 };
let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "scenes-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function fingerprint({ rgb, labels }: Scene): string {
  return createHash("sha256")
    .update(rgb)
    .update(labels ?? "")
    .digest("hex");
}

function drawAll(domain: DomainName, split: string, count: number, size = small): Scene[] {
  const spec = checkSpec({ domain, split, count, ...size });
  return Array.from({ length: count }, (_, index) => drawScene(spec, index));
}

test.each(Object.keys(domains) as DomainName[])(
  "the same spec of %s is the same bytes, in any order",
  async (domain) => {
    const scenes = await openScenes({ domain, count: 3, ...small });
    const forwards = [];
    for (const id of scenes.ids) forwards.push(fingerprint(await scenes.read(id)));
    const backwards = await Promise.all(scenes.ids.toReversed().map(async (id) => fingerprint(await scenes.read(id))));
    expect(backwards.toReversed()).toEqual(forwards);
    expect(new Set(forwards).size).toBe(3);
  },
);

test("the pixels are those of this drawing version: if they move, raise DRAWING_VERSION", () => {
  const prints = (Object.keys(domains) as DomainName[]).map((domain) => {
    const scenes = Array.from({ length: 8 }, (_, index) => drawScene(checkSpec({ domain }), index));
    const print = createHash("sha256").update(scenes.map(fingerprint).join());
    return `${domain} ${print.digest("hex").slice(0, 12)}`;
  });
  expect([DRAWING_VERSION, ...prints]).toMatchInlineSnapshot(`
    [
      3,
      "city dd7acc9b8f51",
      "dusk 15033e818bbb",
      "night a3cdb0a98b57",
      "town 5262c0c6aafb",
      "forest 1a2e3af86a3d",
      "foothills 4360f3a81b1d",
      "highland c6592a1ccea7",
      "wild f356d8b872da",
    ]
  `);
});

test("another seed, split or domain is another image", () => {
  const specs = [
    { domain: "town", split: "test", seed: 1 },
    { domain: "town", split: "test", seed: 2 },
    { domain: "forest", split: "test", seed: 1 },
    { domain: "city", split: "train", seed: 1 },
    { domain: "city", split: "val", seed: 1 },
  ];
  const prints = specs.map((spec) => fingerprint(drawScene(checkSpec({ ...spec, ...small }), 0)));
  expect(new Set(prints).size).toBe(specs.length);
});

test("an image does not depend on how many there are", () => {
  const [few, many] = [drawAll("highland", "test", 1), drawAll("highland", "test", 2)];
  expect(fingerprint(few[0]!)).toBe(fingerprint(many[0]!));
});

test("image and labels agree in size, at any size", () => {
  for (const size of [small, { height: 50, width: 77 }, { height: 96, width: 64 }]) {
    const [scene] = drawAll("forest", "test", 1, size);
    expect(scene!.rgb.length).toBe(size.height * size.width * 3);
    expect(scene!.labels!.length).toBe(size.height * size.width);
  }
});

test("an unlabelled split has no labels and its image is the same image all the same", async () => {
  const scenes = await openScenes({ domain: "town", split: "train", count: 1, ...small });
  expect(scenes.labelled).toBe(false);
  expect((await scenes.read(scenes.ids[0]!)).labels).toBeNull();
});

/** Nothing is in the city that has no class, at any hour. */
const knownOnly: ReadonlySet<DomainName> = new Set(["city", "dusk", "night"]);

test.each(["city", "dusk", "night", "town", "forest", "foothills", "highland", "wild"] as const)(
  "in %s labels are class ids, and unknown things are where they belong",
  (domain) => {
    const split = domain === "city" ? "val" : "test";
    const scenes = drawAll(domain, split, 60);
    const counts = new Array<number>(256).fill(0);
    for (const { labels } of scenes) for (const id of labels!) counts[id]!++;
    expect(counts.slice(UNKNOWN_ID + 1).every((count) => count === 0)).toBe(true);
    const share = counts[UNKNOWN_ID]! / counts.reduce((sum, count) => sum + count, 0);
    if (knownOnly.has(domain)) expect(share).toBe(0);
    else {
      expect(share).toBeGreaterThan(0.01);
      expect(share).toBeLessThan(0.1);
    }
  },
);

test.each([
  ["city", "val"],
  ["dusk", "test"],
  ["night", "test"],
  ["town", "test"],
  ["forest", "test"],
  ["foothills", "test"],
  ["highland", "test"],
] as const)("every class occurs within 300 images of %s %s", (domain, split) => {
  const missing = new Set(Array.from({ length: knownOnly.has(domain) ? 19 : 20 }, (_, id) => id));
  const spec = checkSpec({ domain, split, count: 300, height: 64, width: 128 });
  for (let index = 0; index < spec.count && missing.size > 0; index++) {
    for (const id of drawScene(spec, index).labels!) missing.delete(id);
  }
  expect([...missing].map((id) => classes[id]?.name ?? "unknown")).toEqual([]);
});

test("a cache gives the same bytes, is reused, and mends what was damaged", async () => {
  const spec = { domain: "city", split: "train", count: 4, ...small };
  const drawn = await openScenes(spec);
  const wanted = await Promise.all(drawn.ids.map(async (id) => fingerprint(await drawn.read(id))));
  const read = async (): Promise<string[]> => {
    const scenes = await openScenes(spec, { cache: folder });
    return Promise.all(scenes.ids.map(async (id) => fingerprint(await scenes.read(id))));
  };
  expect(await read()).toEqual(wanted);
  const [name] = await readdir(folder);
  const [first, second] = [join(folder, name!, "city-train-000000.png"), join(folder, name!, "city-train-000001.png")];
  const before = (await stat(second)).mtimeMs;
  const bytes = await readFile(first);
  bytes[bytes.length >> 1] = bytes[bytes.length >> 1]! ^ 255;
  await writeFile(first, bytes);
  expect(await read()).toEqual(wanted);
  expect((await stat(second)).mtimeMs).toBe(before);
  expect((await readdir(join(folder, name!))).filter((file) => file.endsWith(".tmp"))).toEqual([]);
});

test("images that another process has drawn are not written again, even if its list of them is not there yet", async () => {
  const spec = { domain: "city", split: "val", count: 3, ...small };
  await openScenes(spec, { cache: folder });
  const place = join(folder, `city-val-seed0-128x64-v${DRAWING_VERSION}`);
  const images = (await readdir(place)).filter((file) => file.endsWith(".png"));
  const times = (): Promise<bigint[]> =>
    Promise.all(images.map(async (file) => (await stat(join(place, file), { bigint: true })).mtimeNs));
  const before = await times();
  await rm(join(place, "manifest.json"));
  await openScenes(spec, { cache: folder });
  expect(images).toHaveLength(6);
  expect(await times()).toEqual(before);
});

test("a spec survives being written and read", () => {
  const spec = parseScenes("scenes:highland?split=test&count=20&seed=3&width=512&height=256");
  expect(spec).toEqual({ domain: "highland", split: "test", count: 20, seed: 3, width: 512, height: 256 });
  expect(parseScenes(formatScenes(spec))).toEqual(spec);
});

test.each([
  ["scenes:moon", 'unknown domain "moon"', "known: city, dusk, night, town"],
  ["scenes:wild?split=train", 'wild has no split "train"', "it has: test"],
  ["scenes:city?split=toString", 'city has no split "toString"', "train, val"],
  ["scenes:city?count=0", 'count is "0"', "count=200"],
  ["scenes:city?count=many", 'count is "many"', "count=200"],
  ["scenes:city?width=9000", 'width is "9000", wanted a whole number from 16 to 4096', "width=256"],
  ["scenes:city?colour=red", 'unknown option "colour"', "known: split, count, seed, height, width"],
])("%s is refused with a hint", (text, message, hint) => {
  try {
    parseScenes(text);
    expect.unreachable();
  } catch (error) {
    expect(error).toBeInstanceOf(UserError);
    expect((error as UserError).message).toContain(message);
    expect((error as UserError).hint).toContain(hint);
  }
});

test("an id that is not in the set is named in the refusal", async () => {
  const scenes = await openScenes({ domain: "town", count: 2, ...small });
  await expect(scenes.read("town-test-000009")).rejects.toThrow('no image "town-test-000009"');
});
