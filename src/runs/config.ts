import { z } from "zod";
import { sortedSpec } from "../data/datasets/spec.js";
import { type AblationName, ablations } from "../methods/gamma-ssl/ablations.js";
import { gammaOptionsSchema, type ProfileName, profiles, profileViews } from "../methods/gamma-ssl/options.js";
import { MULTIPLE } from "../networks/models/anySize.js";
import { UserError } from "../platform/errors.js";
import { readJson } from "../platform/json.js";
import { describeIssue } from "../platform/schemaIssue.js";
import { sha256 } from "../platform/seal.js";

const count = z.int().positive();
const share = z.number().min(0).max(1);
const range = z.tuple([z.number().positive(), z.number().positive()]).refine(([low, high]) => low <= high, {
  message: "the first must not be above the second",
});

const part = range.refine(([, high]) => high <= 1, "a part is at most 1, the whole");

const multiple = count.multipleOf(MULTIPLE);

/** How colours are changed: data/augment/colour. */
const colourSchema = z.union([
  z.literal("off"),
  z.strictObject({
    disturb: z.boolean().default(true),
    jitter: z
      .strictObject({
        brightness: share.default(0.3),
        contrast: share.default(0.3),
        saturation: share.default(0.3),
        hue: share.max(0.5).default(0.3),
      })
      .prefault({}),
  }),
]);

/** Names of profiles of γ-SSL. */
export const profileNames = Object.keys(profiles) as [ProfileName, ...ProfileName[]];
/** Names of ablations of γ-SSL. */
export const ablationNames = Object.keys(ablations) as [AblationName, ...AblationName[]];

/** Steps that were added to a training after its end, each time it was given more: a stage each (docs/training.md). */
const extended = z.array(count).min(1).optional();

/** How images are turned into training views: data/augment/view.ts. */
const viewSchema = z
  .strictObject({
    height: count.default(256),
    crop: z.tuple([multiple, multiple]).default([256, 256]),
    scale: range.default([0.7, 1.3]),
    flip: share.default(0.5),
    local: z.strictObject({ chance: share.default(0.5), side: part.default([0.5, 0.9]) }).prefault({}),
    colour: colourSchema.prefault({}),
  })
  .prefault({});

const supervisedSchema = z.strictObject({
  method: z.literal("supervised"),
  /** Labelled images to learn from: a data set spec. */
  source: z.string(),
  network: z
    .strictObject({
      outputStride: z.literal([8, 16]).default(16),
      asppDropout: share.default(0.5),
      /** For MC dropout: share of the encoder's channels dropped after its second, third and fourth stage. */
      encoderDropout: share.default(0),
      /** For DUM: largest norm of the encoder's convolutions. */
      spectralNorm: z.union([z.literal("off"), z.number().positive()]).default("off"),
      width: z.number().positive().max(2).default(1),
      /** Stages of the encoder: 3 leaves out layer4. */
      stages: z.literal([3, 4]).default(4),
      features: count.max(1024).default(256),
    })
    .prefault({}),
  /** Weights to begin with: a .safetensors or .pth file. */
  weights: z.string().nullable().default(null),
  /** For MCD-DSL: learn from an MC dropout network as well as from labels. */
  teacher: z
    .strictObject({
      /** Its weights, as a path from the run folder; its network is this one but for dropout in the encoder. */
      weights: z.string(),
      rate: share.lt(1),
      passes: count.max(64),
      learns: z.enum(["soft-targets", "uncertainty"]),
    })
    .optional(),
  batch: count.min(2).default(6),
  view: viewSchema,
  steps: count.default(2000),
  learningRate: z.number().positive().default(5e-4),
  /** Multiplies the learning rate of the encoder, which often comes pre-trained. */
  encoderFactor: z.number().min(0).default(1),
  weightDecay: z.number().min(0).default(0),
  /** Joint length of the gradients beyond which they are scaled down. */
  clipNorm: z.number().positive().nullable().default(null),
  schedule: z.strictObject({ warmUp: z.int().min(0).default(0), power: z.number().min(0).default(0.9) }).prefault({}),
  extended,
  seed: z.int().min(0).default(0),
});

const gammaSchema = z.strictObject({
  method: z.literal("gamma-ssl"),
  source: z.string(),
  /** Unlabelled images, one set after the other: with more than one, a curriculum (section VI-C). */
  targets: z.array(z.string()).min(1),
  profile: z.enum(profileNames).default("small"),
  ablation: z.enum(ablationNames).nullable().default(null),
  weights: z.string().nullable().default(null),
  view: viewSchema,
  options: gammaOptionsSchema,
  extended,
  seed: z.int().min(0).default(0),
});

/**
 * Everything that decides the weights, and nothing else: two runs with the same config and data end with the same bytes.
 * Threads, loader workers and how often to save are not here, because they must not matter.
 */
const trainConfigSchema = z.discriminatedUnion("method", [supervisedSchema, gammaSchema]);

export type SupervisedConfig = z.infer<typeof supervisedSchema>;
export type GammaConfig = z.infer<typeof gammaSchema>;
/** A config with every setting filled in. */
export type TrainConfig = SupervisedConfig | GammaConfig;

/** Whether a training has no first stage of its own: it adapts a network that another one pre-trained. */
export const beginsElsewhere = (config: TrainConfig): boolean =>
  config.method === "gamma-ssl" && config.options.training.pretraining === 0;

/**
 * Fill in what was left out and refuse what is wrong, all of it at once. With targets it is a training of γ-SSL, unless `method` says
 * otherwise. `from` is for messages.
 */
export function resolveConfig(settings: object, from = "config"): TrainConfig {
  const method = "targets" in settings ? "gamma-ssl" : "supervised";
  const given = withOptions({ method, ...settings });
  const parsed = trainConfigSchema.safeParse(given);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map((issue) => describeIssue(issue, given, "setting"));
  throw new UserError(`${from}: ${faults.join("; ")}`, {
    hint: "docs/training.md has every setting; gssl train --source SPEC --print-config shows their defaults",
    code: "bad-option",
  });
}

/** Options and views that are not set come from the profile; then an ablation changes its one thing. */
function withOptions(settings: Record<string, unknown>): Record<string, unknown> {
  if (settings.method !== "gamma-ssl") return settings;
  const { profile = "small", ablation = null, options = {}, view = {} } = settings;
  const base = profileNames.find((name) => name === profile);
  const change = ablationNames.find((name) => name === ablation);
  // A name that does not exist is for the schema to refuse.
  if (base === undefined || !isSection(options) || !isSection(view)) return { ...settings, options: profiles.small };
  const merged = { ...settings, view: mergeSettings(profileViews[base], view) };
  const chosen = gammaOptionsSchema.safeParse(mergeSettings(profiles[base], options));
  if (!chosen.success) return { ...merged, options: mergeSettings(profiles[base], options) };
  return { ...merged, options: change === undefined ? chosen.data : ablations[change].vary(chosen.data) };
}

/** The config in a file, e.g. of a run. */
export const readConfig = async (path: string): Promise<TrainConfig> => resolveConfig(await readSettings(path), path);

/** Settings in a JSON file, as they stand there. */
export const readSettings = (path: string): Promise<Record<string, unknown>> =>
  readJson(path, {
    schema: z.custom<Record<string, unknown>>(isSection, "it is not an object of settings"),
    hint: "a config is a JSON object; gssl train --print-config writes one",
  });

/** Lay settings over each other: the later wins, one key at a time. */
export function mergeSettings(...layers: readonly object[]): Record<string, unknown> {
  const merged = new Map<string, unknown>(); // not an object: a key called "__proto__" must stay a key, and be refused
  for (const [key, value] of layers.flatMap((layer) => Object.entries(layer))) {
    if (value === undefined) continue;
    const under = merged.get(key);
    merged.set(
      key,
      isSection(value) ? mergeSettings(isSection(under) && sameKind(under, value) ? under : {}, value) : value,
    );
  }
  return Object.fromEntries(merged);
}

/** A section of another kind has other settings: nothing of the one below it belongs to it. */
const sameKind = (under: object, over: object): boolean =>
  !("kind" in under && "kind" in over) || under.kind === over.kind;

/** Whether a value is a group of settings. */
export const isSection = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The same for the same content, whatever the order of its keys. */
export function contentHash(content: unknown): string {
  const sorted = (value: unknown): unknown =>
    isSection(value)
      ? Object.fromEntries(
          Object.entries(value)
            .sort(([a], [b]) => (a < b ? -1 : 1))
            .map(([key, inner]) => [key, sorted(inner)]),
        )
      : Array.isArray(value)
        ? value.map(sorted)
        : value;
  return sha256(JSON.stringify(sorted(content)));
}

/** Specs of data sets are the same in any order of their options. */
const sortSpecs = (_: string, value: unknown): unknown => (typeof value === "string" ? sortedSpec(value) : value);

/** What differs between two resolved configs, as "learningRate: 0.001 here, 0.0005 there". */
export function differences(here: object, there: object, path = ""): string[] {
  const keys = [...new Set([...Object.keys(here), ...Object.keys(there)])].sort();
  return keys.flatMap((key) => {
    const [a, b] = [here, there].map((side) => (side as Record<string, unknown>)[key]);
    if (isSection(a) && isSection(b)) return differences(a, b, `${path}${key}.`);
    return JSON.stringify(a, sortSpecs) === JSON.stringify(b, sortSpecs)
      ? []
      : [`${path}${key}: ${JSON.stringify(a)} here, ${JSON.stringify(b)} there`];
  });
}
