import { within } from "../../engine/graph/path.js";
import type { Value } from "../../engine/graph/value.js";
import { cast, greaterOrEqual, mul, number, stopGradient } from "../../engine/ops/elementwise.js";
import { filledWith } from "../../networks/nn/init.js";
import { type Param, Scope } from "../../networks/nn/scope.js";
import { sized } from "./answer.js";
import { labelledBatch, pairBatch } from "./batchInputs.js";
import { currentPrototypes, embedder, encode, prototypeSupervision, targetScores } from "./branches.js";
import { consistencyLoss } from "./consistencyLoss.js";
import { certainty } from "./gammaSolver.js";
import { health, pixelsOf } from "./health.js";
import type { WarmUp } from "./options.js";
import { prototypeLoss } from "./prototypeLoss.js";
import { detached } from "./prototypes.js";
import { sharpened, similarities } from "./segmentation.js";
import { type Losses, type StageParts, spreadLoss, supervisedLoss } from "./stage.js";

/** What the second stage remembers from step to step, besides the networks. */
export interface History {
  /** [F, K]: the most recent prototype of each class, zeros for a class never seen. */
  readonly prototypes: Param;
  /** [K]: Γ of the per-class rule. */
  readonly gamma: Param;
  /** []: the share of the network's answers that drawn colours leave as they are, measured where a target begins; 1 where it was not. */
  readonly keptAnswers: Param;
}

export function newHistory(features: number, classes: number): History {
  const scope = new Scope("history");
  return {
    prototypes: scope.state("prototypes", [features, classes], filledWith(0)),
    gamma: scope.state("gamma", [classes], filledWith(-1)),
    keptAnswers: scope.state("keptAnswers", [], filledWith(1)),
  };
}

export interface Adaptation {
  readonly losses: Losses;
  /** Numbers to report, by name. */
  readonly measures: Readonly<Record<string, Value>>;
  /** What becomes of the history. */
  readonly remembered: ReadonlyMap<Param, Value>;
}

/** How a step of the second stage learns: all of it as in the paper, or as its warm-up does. */
export type Phase = Pick<WarmUp, "encoder" | "pixels">;

/**
 * The second stage (section V): all losses, over a labelled batch, the prototypes' batch and pairs of unlabelled views.
 *
 * Where the encoder rests, L_c, L_u, L_p and the prototypes' supervision stop at its features: g_ρ warms up alone, while L_s
 * goes on teaching E.
 */
export function adaptation(parts: StageParts, history: History, { encoder, pixels: counted }: Phase): Adaptation {
  const { options, network, journey, crop } = parts;
  const { weights, batch } = options;
  const separate = options.prototypes.from === "separate";
  const source = labelledBatch("source", batch.source, crop);
  const labelled = separate ? labelledBatch("prototype", batch.prototype, crop) : source;
  const pair = pairBatch("target", batch.target, crop);

  const batches = [source.images, ...(separate ? [labelled.images] : []), pair.second.images];
  // Where the encoder rests the batches go apart, so that the way back is through the labelled pictures alone.
  const encoded =
    encoder === "learning" ? encode(parts, batches) : batches.flatMap((images) => encode(parts, [images]));
  const held = (features: Value): Value => (encoder === "resting" ? stopGradient(features) : features);
  const sourceFeatures = encoded[0]!;
  const queryFeatures = encoded.at(-1)!;

  const embeddings = embedder(parts, encoded.map(held));
  const prototypes = within("prototypes", () =>
    currentPrototypes(parts, embeddings(separate ? 1 : 0), labelled, history.prototypes.value),
  );
  const fixed = detached(prototypes); // L_c moves pixels towards prototypes, never prototypes towards pixels
  const byPrototypes = (z: Value): Value => sharpened(similarities(z, fixed), options.temperature);

  const target = within("target", () => targetScores(parts, pair, byPrototypes)); // s'_T
  const { align } = pair.second;
  const scores = within("query", () =>
    sized(
      options.branches.query === "prototypes"
        ? byPrototypes(embeddings(-1))
        : sharpened(network.head(held(queryFeatures), journey.pass()), options.headTemperature),
      align,
    ),
  );
  const query = scores.full; // s_T
  const byHead = within("query", () =>
    sized(network.head(held(queryFeatures), journey.pass({ keepStatistics: true })), align),
  );
  const { pixels, mask } = within("gamma", () => {
    const pixels = pixelsOf(target, { scores, byHead, align }, pair.valid, options);
    return { pixels, mask: certainty(pixels, options.certainty, history.gamma.value) };
  });

  const { keptAnswers } = history;
  const familiar =
    options.familiarity === null
      ? number(1)
      : cast(greaterOrEqual(keptAnswers.value, number(options.familiarity)), "float32");
  const weight = counted === "all" ? cast(pair.valid, "float32") : mask.weight;

  const built: Record<keyof Losses, () => Value> = {
    supervised: () => supervisedLoss(parts, sourceFeatures, source.labels),
    consistency: () => within("consistency", () => consistencyLoss(target, query, weight)),
    // g_ρ sees averaged cells here and pixels elsewhere; its running statistics are for pixels.
    uniformity: () => spreadLoss(parts, held(queryFeatures), journey.pass({ keepStatistics: true })),
    prototype: () => within("prototypes", () => prototypeLoss(prototypes)),
    prototypeSupervision: () =>
      within("prototypes", () => prototypeSupervision(parts, embeddings(0), source.labels, prototypes)),
    headConsistency: () =>
      within("consistency", () =>
        mul(consistencyLoss(target, sharpened(byHead.full, options.headTemperature), weight), familiar),
      ),
  };
  const names = (Object.keys(built) as (keyof Losses)[]).filter((name) => weights[name] > 0);
  const losses: Losses = Object.fromEntries(names.map((name) => [name, built[name]()]));

  const remembered = new Map<Param, Value>();
  if (options.prototypes.history) remembered.set(history.prototypes, fixed.vectors);
  if (mask.perClass !== undefined) remembered.set(history.gamma, mask.perClass);
  if (options.familiarity !== null) remembered.set(keptAnswers, keptAnswers.value);
  const nearest = losses.prototype ?? built.prototype();
  return {
    losses,
    measures: within("health", () => ({
      ...health(pixels, mask, target),
      "prototypes.nearest": nearest,
      ...(options.familiarity !== null && { keptAnswers: keptAnswers.value }),
    })),
    remembered,
  };
}
