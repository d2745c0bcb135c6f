import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import type { ablate as Ablate } from "../src/index.js";
import { withFolder } from "./folders.js";

// Trainings are processes of the built package.
const { ablate }: { ablate: typeof Ablate } = await import(pathToFileURL(resolve("dist/index.js")).href);

const scenes = (place: string, split: string, count: number): string =>
  `scenes:${place}?split=${split}&count=${count}&height=32&width=64`;

const settings = {
  source: scenes("city", "train", 4),
  targets: [scenes("town", "train", 4)],
  view: { height: 32, crop: [32, 48] },
  options: {
    network: { width: 0.125, features: 16 },
    batch: { source: 2, prototype: 2, target: 2 },
    training: { pretraining: 2, adaptation: 2, warmUp: 0 },
  },
};

const options = (root: string, to: string) => ({
  on: [scenes("town", "test", 2)],
  ablations: ["no-filter"] as const,
  seeds: 2,
  to: join(root, to),
  threads: 1,
  cache: join(root, "cache"),
});

const seedsOf = (markdown: string): Record<string, number> =>
  Object.fromEntries(
    [...markdown.matchAll(/^\| ([^|]+?) \| (\d+) \|/gm)].map(([, name, seeds]) => [name, Number(seeds)] as const),
  );

test(
  "a study has each baseline once, γ-SSL, its head and each ablation once for each seed",
  () =>
    withFolder(async (root) => {
      const given = { ...options(root, "study"), methods: "entropy,no-ssl,energy@adapted" };
      const { results, markdown } = await ablate(settings, given);
      const counted = {
        entropy: 1,
        "no-ssl": 1,
        "gamma-ssl": 2,
        "head after adaptation (max-softmax@adapted)": 2,
        "energy@adapted": 2,
        "no-filter": 2,
      };
      expect(seedsOf(markdown)).toEqual(counted);
      const networks = (name: string): number =>
        new Set(results.filter((one) => one.name === name).map(({ result }) => result.network!.fingerprint)).size;
      expect(networks("gamma-ssl")).toBe(2);
      expect(networks("energy@adapted")).toBe(2);
      expect(await readFile(join(root, "study", "ablation.md"), "utf8")).toBe(markdown);

      // The same from weights that are given: there the first trial has the baselines' network.
      const weights = join(root, "study", "source", "weights.safetensors");
      const training = { ...settings.options.training, pretraining: 0 };
      const second = await ablate(
        { ...settings, weights, options: { ...settings.options, training } },
        { ...options(root, "given"), methods: "entropy,no-ssl,gamma-ssl,energy@adapted" },
      );
      expect(seedsOf(second.markdown)).toEqual(counted);
    }),
  600_000,
);

test(
  "what cannot succeed is refused before the first training",
  () =>
    withFolder(async (root) => {
      const refused = (changes: object) =>
        ablate(settings, { ...options(root, "refused"), methods: "entropy", ...changes });
      await expect(refused({ ablations: ["full-network"] })).rejects.toThrow('"full-network" cannot begin with');
      await expect(refused({ ablations: ["early-uniformity"] })).rejects.toThrow("nothing after the first stage");
      await expect(refused({ on: [settings.source] })).rejects.toThrow("training has seen images");
      await expect(refused({ methods: "vin" })).rejects.toThrow('no method "vin"');
      await expect(refused({ sourceVal: scenes("town", "test", 2) })).rejects.toThrow("settings would be chosen on");
      expect(existsSync(join(root, "refused"))).toBe(false);
    }),
  600_000,
);
