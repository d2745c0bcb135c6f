import { classesOf } from "../data/datasets/classesOf.js";
import { cacheMemory, ImageCache } from "../data/loader/imageCache.js";
import { makeBatch } from "../data/loader/makeBatch.js";
import { openDataset } from "../data/open/openDataset.js";
import { nodeRuntime } from "../engine/runtime/node.js";
import type { Runtime } from "../engine/runtime/runtime.js";
import { type GradientTable, gradientTable } from "../methods/gamma-ssl/gradientTable.js";
import type { StageName } from "../methods/gamma-ssl/step.js";
import { cacheFolder } from "../platform/cacheFolder.js";
import { UserError } from "../platform/errors.js";
import { type GammaConfig, resolveConfig } from "../runs/config.js";
import { gammaStages } from "../training/gammaStages.js";

/** Which training to look at. */
export interface GradientChoice {
  readonly profile: string;
  readonly ablation?: string | null | undefined;
  readonly stage: StageName;
}

/** Height and width of the drawn images, and how many there are of each place. */
const [HEIGHT, WIDTH, COUNT] = [64, 128, 8] as const;

const drawn = (place: string): string =>
  `scenes:${place}?split=train&count=${COUNT}&height=${HEIGHT}&width=${WIDTH}&classes=categories`;

/** Which loss teaches which network (L-12), measured on a batch of drawn images with a narrow network. */
export async function measuredGradients(
  runtime: Runtime,
  { profile, ablation = null, stage: wanted }: GradientChoice,
  { cache }: { readonly cache: string },
): Promise<GradientTable | null> {
  const config = resolveConfig({
    method: "gamma-ssl",
    profile,
    ablation,
    source: drawn("city"),
    targets: [drawn("town")],
    view: { height: HEIGHT, crop: [HEIGHT, WIDTH] },
    options: {
      network: { width: 0.125, features: 16 },
      batch: { source: 4, prototype: 4, target: 4 },
      // Some of each stage, so that all of them are there.
      training: { pretraining: 1, adaptation: 4, warmUp: 0.3 },
    },
  }) as GammaConfig;
  const stage = gammaStages(config).find(({ name }) => name === wanted);
  if (stage === undefined) return null;
  const [source, target] = [
    await openDataset(config.source, { cache }),
    await openDataset(config.targets[0]!, { cache }),
  ];
  const classes = classesOf(source);
  const { noises, dials } = stage.build(classes);
  const plan = { seed: 0, streams: stage.streams({ source, targets: [target] }), noises };
  const batch = await makeBatch(plan, 1, new ImageCache(cacheMemory(plan, 0)));
  const { options, view } = config;
  return gradientTable(runtime, { options, classes, crop: view.crop, stage: wanted }, { ...batch, ...dials });
}

/** The same for a choice that has such a stage; drawn images are kept in a cache folder. */
export async function lossGradients(
  choice: GradientChoice & { readonly cache?: string | undefined },
): Promise<GradientTable> {
  const cache = choice.cache ?? cacheFolder();
  const table = await measuredGradients(nodeRuntime({ optimise: false }), choice, { cache });
  if (table !== null) return table;
  throw new UserError(`${choice.ablation ?? choice.profile} has no stage "${choice.stage}"`, {
    hint: "see its pretraining",
  });
}
