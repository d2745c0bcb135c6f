import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, sep } from "node:path";
import { expect, test } from "vitest";
import { pages } from "../src/html/pages.js";

/**
 * The folders of src in order: a file may import from its own folder and from those above it. `/*` stands for files of the folder
 * itself; a file that lists what other folders hold has a place of its own.
 */
const order = [
  "platform",
  "html",
  ...["tensor", "graph", "ops", "autodiff", "onnx", "runtime"].map((name) => `engine/${name}`),
  ...["layers", "models", "losses", "optim", "weights"].map((name) => `networks/${name}`),
  ...["images", "labels", "augment", "scenes", "logs", "datasets", "open", "loader"].map((name) => `data/${name}`),
  "metrics",
  ...["parts", "baselines", "gamma-ssl", "*"].map((name) => `methods/${name}`),
  "runs",
  "inference",
  "training",
  "evaluation",
  ...["model", "export", "threshold", "predict", "select", "*"].map((name) => `deployment/${name}`),
  "report",
  "experiments",
  ...["*", "page"].map((name) => `viewer/${name}`),
  ...["http", "process", "pool", "api", "*"].map((name) => `server/${name}`),
  ...["*", "page"].map((name) => `dashboard/${name}`),
  ...["index.ts", "engine.ts", "metrics.ts", "web.ts"],
  ...["terminal", "commands", "*"].map((name) => `cli/${name}`),
];

/** What a package exports (package.json). */
const entries = ["index.ts", "engine.ts", "metrics.ts", "web.ts"];

/** Folders and files that may use Node; everything else must also run in a browser. */
const forNode = [
  "platform/atomicFile.ts",
  "platform/codeHash.ts",
  "platform/files.ts",
  "platform/seal.ts",
  "platform/cacheFolder.ts",
  "platform/environment.ts",
  "html/htmlPage.ts",
  "platform/jobThread.ts",
  "platform/workerPool.ts",
  "engine/runtime/device.ts",
  "engine/runtime/node.ts",
  "engine/runtime/placement.ts",
  "methods/plugins.ts",
  "data/scenes",
  "data/logs",
  "data/datasets",
  "data/open",
  "data/loader",
  "runs",
  "training",
  "evaluation",
  "deployment",
  "experiments",
  "report",
  "viewer/builtPage.ts",
  "viewer/site.ts",
  "viewer/examples.ts",
  "server",
  "dashboard",
  "cli",
];

/** Every file of src with the files it imports, as paths from src. */
const imports = new Map(
  readdirSync("src", { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => name.split(sep).join("/"))
    .sort()
    .map((name) => [name, importsOf(name)] as const),
);

function importsOf(name: string, leftOut = /^$/): string[] {
  const text = readFileSync(join("src", name), "utf8").replaceAll(new RegExp(leftOut, "gm"), "");
  return [...text.matchAll(/(?:from|import\() ?"([^"]+)"/g)].map(([, path]) => {
    if (!path!.startsWith(".")) return path!;
    const module = normalize(join(dirname(name), path!))
      .split(sep)
      .join("/")
      .replace(/\.js$/, "");
    return existsSync(join("src", `${module}.tsx`)) ? `${module}.tsx` : `${module}.ts`;
  });
}

/** The position of a file's folder in the order; -1 where it has none. */
function level(file: string): number {
  if (order.includes(file)) return order.indexOf(file);
  const [top = "", next = ""] = file.split("/");
  const own = file.split("/").length === 2 ? `${top}/*` : `${top}/${next}`;
  return order.indexOf(order.includes(own) ? own : top);
}

const isTest = (file: string): boolean => file.endsWith(".test.ts") || file.includes("/testing/");

test("every folder has a place in the order", () => {
  expect([...imports.keys()].filter((file) => level(file) < 0)).toEqual([]);
});

test("imports point up the order, never down it", () => {
  const wrong = [...imports].flatMap(([file, paths]) =>
    paths
      .filter((path) => imports.has(path) && !isTest(file) && level(path) > level(file))
      .map((path) => `${file} -> ${path}`),
  );
  expect(wrong).toEqual([]);
});

test("commands use the public API and what prints, and nothing below it", () => {
  const allowed = /^(index\.ts|platform\/(errors|nearest|print|printable|watching)\.ts|cli\/)/;
  const wrong = [...imports].flatMap(([file, paths]) =>
    paths
      .filter((path) => file.startsWith("cli/") && !isTest(file) && imports.has(path) && !allowed.test(path))
      .map((path) => `${file} -> ${path}`),
  );
  expect(wrong).toEqual([]);
});

test("commands load the library when they run, so that --help is quick", () => {
  const early = [...imports.keys()].filter(
    (file) =>
      file.startsWith("cli/") &&
      !isTest(file) &&
      /^import (?!type)[^;]*"(\.\.\/)+index\.js"|^import [^;]*"zod"/m.test(readFileSync(join("src", file), "utf8")),
  );
  expect(early).toEqual([]);
});

test("only commands use the public API: the library never imports its own entries", () => {
  const wrong = [...imports].filter(
    ([file, paths]) => !file.startsWith("cli/") && paths.some((path) => entries.includes(path)),
  );
  expect(wrong.map(([file]) => file)).toEqual([]);
});

/** All that is loaded with some files, packages included. */
function loadedWith(entries: readonly string[]): string[] {
  const reached = new Set<string>();
  const visit = (file: string): void => {
    if (reached.has(file)) return;
    reached.add(file);
    // Types are gone when it runs.
    if (imports.has(file)) for (const path of importsOf(file, /^(import|export) type [^;]*;/)) visit(path);
  };
  for (const entry of entries) visit(entry);
  return [...reached];
}

test("what runs in a browser reaches no Node and no native package", () => {
  const workers = ["engine/worker.ts", "training/trainingWorker.ts", "serviceWorker.ts"];
  const page = ["main.tsx", ...workers].map((name) => `viewer/page/${name}`);
  const single = Object.values(pages).filter((entry) => entry.endsWith(".ts"));
  const reached = loadedWith(["web.ts", "metrics.ts", ...page, "dashboard/page/main.tsx", ...single]);
  expect(reached.filter((path) => !imports.has(path) && /^[@a-z]/.test(path)).sort()).toEqual([
    "@bufbuild/protobuf/wire",
    "@preact/signals",
    "fast-png",
    "onnxruntime-web",
    "preact",
    "preact/hooks",
  ]);
});

test.each(["server/serve.ts", "server/process/modelProcess.ts"])(
  "a serving process is small: %s loads at most 80 files of ours, none of training or data sets",
  (entry) => {
    const files = loadedWith([entry]).filter((path) => imports.has(path));
    expect(files.length).toBeGreaterThan(30);
    expect(files.length).toBeLessThanOrEqual(80);
    expect(files.filter((file) => /^(data\/(labels|datasets\/readers|scenes|loader)|training)\//.test(file))).toEqual(
      [],
    );
  },
);

/** Below a folder: its own files as one, and each folder in it; what each imports of the others. */
function inside(folder: string): Map<string, Set<string>> {
  const part = (file: string): string => {
    const [first, ...rest] = file.slice(folder.length + 1).split("/");
    return rest.length === 0 ? "own files" : first!;
  };
  const parts = new Map<string, Set<string>>();
  for (const [file, paths] of imports) {
    if (!file.startsWith(`${folder}/`) || isTest(file)) continue;
    const others = parts.get(part(file)) ?? new Set();
    for (const path of paths) if (path.startsWith(`${folder}/`) && part(path) !== part(file)) others.add(part(path));
    parts.set(part(file), others);
  }
  return parts;
}

/** What cannot be put into a list because it imports itself by way of others. */
function knot(parts: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const left = new Map([...parts].map(([name, others]) => [name, new Set(others)]));
  for (let free: string | undefined; ; ) {
    free = [...left].find(([, others]) => others.size === 0)?.[0];
    if (free === undefined) return [...left.keys()];
    left.delete(free);
    for (const others of left.values()) others.delete(free);
  }
}

test("the folders in a folder, and its own files, form a list", () => {
  const folders = new Set([...imports.keys()].filter((file) => !isTest(file)).flatMap((file) => above(dirname(file))));
  const knots = [...folders].map((folder) => `${folder}: ${knot(inside(folder)).join(", ")}`);
  // What measures and what it measures with are still one: chooseSettings and prepare need each other.
  expect(knots.filter((text) => !text.endsWith(": "))).toEqual(["evaluation: own files, prepare"]);
});

/** A folder and all that it lies in. */
const above = (folder: string): string[] => (folder === "." ? [] : [folder, ...above(dirname(folder))]);

test("no file imports itself by way of others", () => {
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) cycles.push([...path.slice(path.indexOf(file)), file].join(" -> "));
    if (done.has(file) || path.includes(file)) return;
    for (const next of imports.get(file) ?? []) visit(next, [...path, file]);
    done.add(file);
  };
  for (const file of imports.keys()) visit(file, []);
  expect(cycles).toEqual([]);
});

test("only what must use Node does", () => {
  const wrong = [...imports].filter(
    ([file, paths]) =>
      !isTest(file) && !forNode.some((one) => file.startsWith(one)) && paths.some((path) => path.startsWith("node:")),
  );
  expect(wrong.map(([file]) => file)).toEqual([]);
});

test("F11: one file writes to the terminal, and escapes what it writes", () => {
  const writes = /\bconsole\.|process\.(stdout|stderr)\.write/;
  const found = [...imports.keys()].filter(
    (file) => !isTest(file) && writes.test(readFileSync(join("src", file), "utf8")),
  );
  expect(found).toEqual(["platform/print.ts"]);
});

/** Text that is no file (metadata, a line, our own package.json, a page's own data), or that may be anybody's and is then nothing to us. */
const parsesJson = [
  "cli/main.ts",
  "dashboard/logLine.ts",
  "dashboard/page/state/dashboard.ts",
  "deployment/model/modelDescription.ts",
  "deployment/model/modelInfo.ts",
  "engine/tensor/safetensors.ts",
  "platform/environment.ts",
  "platform/json.ts",
  "platform/seal.ts",
  "report/page/main.ts",
  "runs/runLock.ts",
  "runs/scorerFile.ts",
  "runs/trainLog.ts",
];

test("F9: JSON files are read by one function, folders made by one", () => {
  const having = (what: RegExp): string[] =>
    [...imports.keys()].filter((file) => !isTest(file) && what.test(readFileSync(join("src", file), "utf8")));
  expect(having(/JSON\.parse\(/).filter((file) => !parsesJson.includes(file))).toEqual([]);
  expect(having(/\bmkdir\(/)).toEqual(["platform/files.ts", "runs/runLock.ts"]);
});
