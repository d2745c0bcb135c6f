import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { UNKNOWN_LABEL } from "../../data/labels/labelSpace.js";
import { openScenes, type Scene } from "../../data/scenes/scenes.js";
import { classes, classId, UNKNOWN_ID } from "../../data/scenes/world/classes.js";
import { tiledNoise } from "../../data/scenes/world/noise.js";
import { random } from "../../engine/tensor/random.js";
import { PixelCounter } from "../../evaluation/pixelCounter.js";
import type { Example } from "../../evaluation/results/examples.js";
import { writeResult } from "../../evaluation/results/writeResult.js";

/**
 * A run folder that looks like one: drawn scenes, and invented predictions whose mistakes have the shapes real ones have
 * (patches, borders, things without a class). For tests and for looking at pages. None of its numbers means anything.
 */
export interface InventedRun {
  readonly images?: number;
  readonly height?: number;
  readonly width?: number;
  readonly place?: "town" | "forest" | "highland";
  readonly methods?: readonly InventedMethod[];
  readonly name?: (scene: string) => string;
  readonly log?: boolean;
}

/** How a method doubts: how much at borders, at true mistakes, and at things without a class; and what it adds of noise. */
export interface InventedMethod {
  readonly name: string;
  readonly border: number;
  readonly mistake: number;
  readonly unknown: number;
  readonly noise: number;
  readonly wrong: number;
}

const inventedMethods: readonly InventedMethod[] = [
  { name: "max-softmax", border: 0.3, mistake: 0.12, unknown: 0.04, noise: 0.55, wrong: 0.46 },
  { name: "mc-dropout", border: 0.3, mistake: 0.22, unknown: 0.12, noise: 0.55, wrong: 0.44 },
  { name: "gamma-ssl", border: 0.15, mistake: 0.38, unknown: 0.4, noise: 0.5, wrong: 0.38 },
];

const mistaken: Readonly<Record<number, number>> = {
  [classId("sidewalk")]: classId("road"),
  [classId("road")]: classId("sidewalk"),
  [classId("vegetation")]: classId("building"),
  [classId("building")]: classId("wall"),
  [classId("sky")]: classId("building"),
  [classId("car")]: classId("truck"),
  [classId("terrain")]: classId("road"),
};

export async function inventRun(folder: string, options: InventedRun = {}): Promise<string> {
  const {
    images = 12,
    height = 96,
    width = 192,
    place = "town",
    methods = inventedMethods,
    name = (id) => id,
  } = options;
  const scenes = await openScenes({ domain: place, split: "test", count: images, seed: 5, height, width });
  const drawn = await Promise.all(scenes.ids.map((id) => scenes.read(id)));
  for (const method of methods) {
    const counter = new PixelCounter({ classes: classes.length, policy: "paper" });
    const examples = drawn.map((scene) => invent(scene, method, name(scene.id)));
    for (const example of examples) {
      counter.add({ ...example, confidence: example.uncertainty.map((u) => 1 - Math.min(1, Math.max(0, u))) });
    }
    const own = method.name === "gamma-ssl" ? { gamma: { gamma: 0.62, threshold: 0.38 } } : {};
    await writeResult(
      folder,
      {
        ...counter.finish(),
        ...own,
        dataset: scenes.name,
        method: method.name,
        classes,
        policy: "paper",
        intervals: { seed: 0, replicates: 200 },
        command: `gssl evaluate runs/invented --on '${scenes.name}' --method ${method.name}`,
        seeds: { invented: 5, bootstrap: 0 },
        environment: { "gamma-ssl": "0.0.0", node: "v20", note: "invented numbers, for looking at the page" },
      },
      examples,
    );
  }
  if (options.log) await inventLog(folder);
  return folder;
}

function invent({ id, width, height, rgb, labels }: Scene, method: InventedMethod, shownId: string): Example {
  const noise = (key: string, bumps: readonly [number, number], octaves: number): Float32Array =>
    tiledNoise(`${key}/${id}`, { columns: width, rows: height, bumps, octaves });
  const patches = noise("patches", [6, 4], 3);
  const own = noise(`own ${method.name}`, [9, 5], 2);
  const sway = noise("sway", [12, 8], 2);
  const grain = noise(`grain ${method.name}`, [40, 20], 2);
  const truth = labels!.map((label) => (label === UNKNOWN_ID ? UNKNOWN_LABEL : label));
  const predicted = new Uint8Array(truth.length);
  const uncertainty = new Float32Array(truth.length);
  for (let i = 0; i < truth.length; i++) {
    const [x, y] = [i % width, Math.floor(i / width)];
    const shift = Math.round((sway[i]! - 0.5) * 10);
    const [across, down] = [
      Math.min(width - 1, Math.max(0, x + shift)),
      Math.min(height - 1, Math.max(0, y + (shift >> 1))),
    ];
    const seen = truth[down * width + across]!;
    const known = seen === UNKNOWN_LABEL ? classId("building") : seen;
    const slip = patches[i]! + 0.1 * (own[i]! - 0.5) - (1 - method.wrong);
    predicted[i] = slip > 0 ? (mistaken[known] ?? known) : known;
    const border = seen === truth[i] ? 0 : 1;
    const wrong = Math.min(1, Math.max(0, slip * 5 + 0.5 + 1.2 * (own[i]! - 0.5)));
    const strange = truth[i] === UNKNOWN_LABEL ? 1 : 0;
    const doubt = method.border * border + method.mistake * wrong + method.unknown * strange + method.noise * grain[i]!;
    uncertainty[i] = Math.min(0.999, Math.max(0.001, doubt));
  }
  return { id: shownId, width, height, rgb, labels: truth, predicted, uncertainty };
}

/** Training curves as a trainer would log them. */
async function inventLog(folder: string): Promise<void> {
  const chance = random(7, "log");
  const lines = Array.from({ length: 400 }, (_, k) => {
    const wobble = (size: number): number => Number((size * chance.normal()).toFixed(4));
    const done = k / 400;
    return JSON.stringify({
      step: 10 * (k + 1),
      loss: 2.8 * Math.exp(-4 * done) + 0.35 + wobble(0.05),
      consistency: 1.2 * Math.exp(-2 * done) + 0.4 + wobble(0.04),
      gamma: 0.45 + 0.25 * done + wobble(0.01),
      certain: 0.3 + 0.35 * done + wobble(0.02),
      learningRate: 0.003 * (1 - done) ** 0.9,
    });
  });
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "log.jsonl"), `${lines.join("\n")}\n`);
}
