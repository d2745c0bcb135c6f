import { within } from "../../engine/graph/path.js";
import type { Value } from "../../engine/graph/value.js";
import { filledWith } from "../../networks/layers/init.js";
import { type Param, Scope } from "../../networks/layers/scope.js";
import { labelledBatch, pairBatch } from "./batchInputs.js";
import { currentPrototypes, embedder, encode, prototypeSupervision, targetScores } from "./branches.js";
import { certainty } from "./gammaSolver.js";
import { health, pixelsOf } from "./health.js";
import { consistencyLoss, type Losses, prototypeLoss, type StageParts, spreadLoss, supervisedLoss } from "./losses.js";
import { detached } from "./prototypes.js";
import { sharpened, similarities } from "./segmentation.js";

/** What the second stage remembers from step to step, besides the networks. */
export interface History {
  /** [F, K]: the most recent prototype of each class, zeros for a class never seen. */
  readonly prototypes: Param;
  /** [K]: Γ of the per-class rule. */
  readonly gamma: Param;
}

export function newHistory(features: number, classes: number): History {
  const scope = new Scope("history");
  return {
    prototypes: scope.state("prototypes", [features, classes], filledWith(0)),
    gamma: scope.state("gamma", [classes], filledWith(-1)),
  };
}

export interface Adaptation {
  readonly losses: Losses;
  /** Numbers to report, by name. */
  readonly measures: Readonly<Record<string, Value>>;
  /** What becomes of the history. */
  readonly remembered: ReadonlyMap<Param, Value>;
}

/** The second stage (section V): all losses, over a labelled batch, the prototypes' batch and pairs of unlabelled views. */
export function adaptation(parts: StageParts, history: History): Adaptation {
  const { options, network, crop } = parts;
  const { weights, batch } = options;
  const separate = options.prototypes.from === "separate";
  const source = labelledBatch("source", batch.source, crop);
  const labelled = separate ? labelledBatch("prototype", batch.prototype, crop) : source;
  const pair = pairBatch("target", batch.target, crop);

  const batches = [source.images, ...(separate ? [labelled.images] : []), pair.second.images];
  const encoded = encode(parts, batches);
  const sourceFeatures = encoded[0]!;
  const queryFeatures = encoded.at(-1)!;

  const embeddings = embedder(parts, encoded);
  const prototypes = within("prototypes", () =>
    currentPrototypes(parts, embeddings(separate ? 1 : 0), labelled, history.prototypes.value),
  );
  const fixed = detached(prototypes); // L_c moves pixels towards prototypes, never prototypes towards pixels
  const byPrototypes = (z: Value): Value => sharpened(similarities(z, fixed), options.temperature);

  const target = within("target", () => targetScores(parts, pair, byPrototypes)); // s'_T
  const query = within("query", () =>
    pair.second.align(
      options.branches.query === "prototypes"
        ? byPrototypes(embeddings(-1))
        : sharpened(network.head(queryFeatures, parts.pass()), options.headTemperature),
    ),
  ); // s_T
  const { pixels, mask } = within("gamma", () => {
    const pixels = pixelsOf(target, query, pair.valid, options);
    return { pixels, mask: certainty(pixels, options.certainty, history.gamma.value) };
  });

  const built: Record<keyof Losses, () => Value> = {
    supervised: () => supervisedLoss(parts, sourceFeatures, source.labels),
    consistency: () => within("consistency", () => consistencyLoss(target, query, mask.weight)),
    // g_ρ sees averaged cells here and pixels elsewhere; its running statistics are for pixels.
    uniformity: () => spreadLoss(parts, queryFeatures, parts.pass({ keepStatistics: true })),
    prototype: () => within("prototypes", () => prototypeLoss(prototypes)),
    prototypeSupervision: () =>
      within("prototypes", () => prototypeSupervision(parts, embeddings(0), source.labels, prototypes)),
  };
  const names = (Object.keys(built) as (keyof Losses)[]).filter((name) => weights[name] > 0);
  const losses: Losses = Object.fromEntries(names.map((name) => [name, built[name]()]));

  const remembered = new Map<Param, Value>();
  if (options.prototypes.history) remembered.set(history.prototypes, fixed.vectors);
  if (mask.perClass !== undefined) remembered.set(history.gamma, mask.perClass);
  const nearest = losses.prototype ?? built.prototype();
  return {
    losses,
    measures: within("health", () => ({ ...health(pixels, mask, target), "prototypes.nearest": nearest })),
    remembered,
  };
}
