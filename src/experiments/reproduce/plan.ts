import { z } from "zod";
import { readJson } from "../../platform/json.js";

const name = z.string().regex(/^[\p{L}\p{N}_-]+$/u, "wanted letters, digits, - and _: folders are called by it");
const spec = z.string().min(1);
const sameTwice = (names: readonly string[]): boolean => new Set(names).size < names.length;

/** A domain, as far as it is measured on. */
interface Tested {
  readonly name: string;
  readonly test: string;
}

/** Everything that is measured on: what is adapted to, in the order of tables, then what is not. */
export const testedOf = (plan: Readonly<Record<"domains" | "further" | "unseen", readonly Tested[]>>): Tested[] => [
  ...plan.domains,
  ...plan.further,
  ...plan.unseen,
];

const domainSchema = z.strictObject({ name, train: spec, test: spec });

const planSchema = z
  .strictObject({
    /** As in a config file of `gssl train`, without targets. */
    settings: z.looseObject({ source: spec }),
    /** Held-out labelled images of the source, to choose settings of baselines on. */
    sourceVal: spec.optional(),
    /** What is adapted to, from the least shift to the most (Table 10). The curriculum (γ-SSL_iL) goes to the others by way of the first. */
    domains: z.array(domainSchema).min(1),
    /** What is adapted to on its own, for Fig. 5 and Tables 2 to 5 only: KITTI and BDD in the paper. */
    further: z.array(domainSchema).default([]),
    /** What is only measured on (Fig. 7). */
    unseen: z.array(z.strictObject({ name, test: spec })).default([]),
    /** "all", or names of baselines joined by commas. */
    methods: z.string().default("all"),
  })
  .refine((plan) => !sameTwice(testedOf(plan).map((one) => one.name)), "two domains have the same name")
  .refine((plan) => !sameTwice(testedOf(plan).map((one) => one.test)), "two domains are tested on the same images");

/** On which images the experiments of the paper are run, and with which settings. */
export type ReproductionPlan = Readonly<z.infer<typeof planSchema>>;

/** Read a plan; docs/reproduce.md describes it. */
export const readPlan = (path: string): Promise<ReproductionPlan> =>
  readJson(path, { schema: planSchema, hint: "docs/reproduce.md describes plans" });

/** Drawn images: small enough for all the paper's trainings in an hour or so. */
const drawn = (place: string, split: string, count: number, seed: number): string =>
  `scenes:${place}?split=${split}&count=${count}&seed=${seed}&height=64&width=128`;

const domain = (place: string): ReproductionPlan["domains"][number] => ({
  name: place,
  train: drawn(place, "train", 100, 101),
  test: drawn(place, "test", 40, 101),
});

/**
 * The paper's experiments on drawn places: a city for Cityscapes; a town, a forest and a highland for London, New Forest and Scotland;
 * dusk for KITTI and BDD; night for WildDash.
 */
export const scenesPlan = (seed: number): ReproductionPlan => ({
  settings: {
    source: drawn("city", "train", 200, 0),
    seed,
    view: { height: 64, crop: [64, 112], scale: [0.9, 1.5] },
    options: {
      network: { width: 0.25, features: 48 },
      batch: { source: 8, prototype: 8, target: 8 },
      training: { learningRate: 0.001, pretraining: 800, adaptation: 200 },
    },
  },
  sourceVal: drawn("city", "val", 40, 0),
  domains: ["town", "forest", "highland"].map(domain),
  further: [domain("dusk")],
  unseen: [{ name: "night", test: drawn("night", "test", 40, 101) }],
  methods: "all",
});
