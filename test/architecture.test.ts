import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { expect, test } from "vitest";

/** The whole architecture, as data. A room may use rooms to its left, and any room on the floors below. */
const house: Record<string, { rooms: readonly string[]; below: readonly string[] }> = {
  engine: { rooms: ["tensor", "graph", "ops", "autodiff", "onnx", "runtime"], below: [] },
  networks: { rooms: ["nn", "models", "losses", "optim", "weights"], below: ["engine"] },
  methods: { rooms: ["baselines", "gamma-ssl"], below: ["engine", "networks"] },
  data: { rooms: ["images", "labels", "augment", "scenes", "datasets", "loader"], below: ["engine"] },
  lab: {
    rooms: ["metrics", "predict", "train", "evaluate", "deploy", "experiments", "report"],
    below: ["engine", "networks", "methods", "data"],
  },
  app: { rooms: ["viewer", "server", "cli"], below: ["engine", "networks", "methods", "data", "lab"] },
};

/** Rooms that may touch Node; everything else must also run in a browser. */
const nodeRooms = [
  "wholeFile.ts",
  "startThread.ts",
  "data/scenes",
  "data/datasets",
  "data/loader",
  "lab/train",
  "lab/evaluate",
  "lab/deploy",
  "lab/experiments",
  "lab/report",
  "app/server",
  "app/cli",
  "engine/runtime/node.ts",
];

function sourceFiles(src: string): string[] {
  return readdirSync(src, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .sort();
}

function importsOf(file: string): string[] {
  return [...readFileSync(file, "utf8").matchAll(/(?:from|import\() ?"([^"]+)"/g)].map(([, path]) => path!);
}

function wrongWayImports(src: string): string[] {
  const wrong: string[] = [];
  for (const name of sourceFiles(src)) {
    const [floor = "", room = ""] = name.split(sep);
    const plan = house[floor];
    if (plan === undefined) continue;
    const here = plan.rooms.indexOf(room.replace(/(\.test)?\.ts$/, ""));
    for (const path of importsOf(join(src, name))) {
      if (!path.startsWith(".")) continue;
      const [toFloor = "", toRoom = ""] = relative(src, join(dirname(join(src, name)), path)).split(sep);
      const there = plan.rooms.indexOf(toRoom.replace(/\.js$/, ""));
      // A test may open any door of its own floor, so that an op is tested beside the op.
      const ownFloor = toFloor === floor && (name.endsWith(".test.ts") || here < 0 || there <= here);
      const fine = !(toFloor in house) || plan.below.includes(toFloor) || ownFloor;
      if (!fine) wrong.push(`${name} -> ${toFloor}/${toRoom}`);
    }
  }
  return wrong;
}

function nodeImportsUpstairs(src: string): string[] {
  return sourceFiles(src).filter(
    (name) =>
      !name.endsWith(".test.ts") &&
      !nodeRooms.some((room) => name.split(sep).join("/").startsWith(room)) &&
      importsOf(join(src, name)).some((path) => path.startsWith("node:")),
  );
}

test("no room leans on one to its right or above it", () => {
  expect(wrongWayImports("src")).toEqual([]);
});

test("only the rooms that must touch Node do", () => {
  expect(nodeImportsUpstairs("src")).toEqual([]);
});

test("every folder of src is a room of the plan", () => {
  const folders = Object.keys(house).flatMap((floor) =>
    existsSync(join("src", floor))
      ? readdirSync(join("src", floor), { withFileTypes: true })
          .filter((entry) => entry.isDirectory())
          .map((entry) => `${floor}/${entry.name}`)
      : [],
  );
  const planned = Object.entries(house).flatMap(([floor, { rooms }]) => rooms.map((room) => `${floor}/${room}`));
  expect(folders.filter((folder) => !planned.includes(folder))).toEqual([]);
});
