import { basename } from "node:path";
import { z } from "zod";
import { scores } from "../../methods/gamma-ssl/score.js";
import { UserError } from "../../platform/errors.js";
import { readJson } from "../../platform/json.js";
import { runFiles } from "../../runs/runFiles.js";
import { expectedSchema } from "../model/modelInfo.js";

const share = z.number().min(0).max(1);
const interval = z.strictObject({ low: z.number(), high: z.number() }).nullable();
const ratio = z.strictObject({ value: share.nullable(), interval });

/** thresholds/<data set>.json of a run: γ for a place, and what is known about it. */
const schema = z.strictObject({
  version: z.literal(1),
  /** The images it was solved on. */
  dataset: z.string(),
  images: z.int().positive(),
  gamma: z.number(),
  /** 95 % of γ when whole images are drawn again and again; null where it was not solved by consistency. */
  interval,
  /** As many certain as consistent (Alg. 1), or a share that was asked for. */
  rule: z.discriminatedUnion("kind", [
    z.strictObject({
      kind: z.literal("consistency"),
      /** Pairs of views of each image, and the seed they were drawn with. */
      views: z.int().positive(),
      seed: z.int().min(0),
      /** Shares of the pixels of views on which both agree, and that are certain at γ. */
      consistent: share,
      certain: share,
    }),
    z.strictObject({ kind: z.literal("share"), share }),
  ]),
  /** Over whole images as a deployed model sees them. */
  expectedCertain: expectedSchema,
  /** These images as `distance` compares them, a line each: what is like them is not out of domain. */
  imageMeans: z.array(z.string().regex(/^[-+.\de]+( [-+.\de]+)*$/)).min(1),
  /** γ that training ended with, and the share of pixels of these images that it would call certain. */
  training: z.strictObject({ gamma: z.number(), certain: share }).nullable(),
  /** Against labels, where they were asked for; null where they were not. */
  labelled: z
    .strictObject({
      images: z.int().positive(),
      /** p(accurate): right pixels of all. */
      accuracy: ratio,
      /** p(accurate | certain): right pixels of those that are certain. */
      precision: ratio,
      /** p(certain): certain pixels of all. */
      coverage: ratio,
    })
    .nullable(),
  /** Other roles that the images have: those of the training, for example. */
  remarks: z.array(z.string()).default([]),
  score: z.enum(scores),
  /** sha256 of the weights it belongs to. */
  weights: z.string(),
  command: z.string(),
});
/** A threshold file: γ of a run for a place, and what it means there. */
export type ThresholdFile = z.infer<typeof schema>;

export async function readThreshold(file: string): Promise<ThresholdFile> {
  if (basename(file) === runFiles.gamma) {
    throw new UserError(`${file} is γ of a training, wanted a file of gssl threshold`, {
      hint: "leave --gamma out: γ of training is what is exported then",
      code: "bad-option",
    });
  }
  return readJson(file, { schema, hint: "gssl threshold writes one; or export without --gamma, for that of training" });
}
