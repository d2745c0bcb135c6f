import type { RawPng } from "../images/png.js";
import { builtInLabellings, type LabellingName } from "./builtIn.js";
import { countValues } from "./countValues.js";
import type { LabelRule } from "./labelSpace.js";

/** What a label file seems to be, when it is not what it was said to be. */
export interface Recognised {
  readonly space: LabellingName | "binary-mask" | "instances";
  readonly sentence: string;
  readonly hint: string;
}

/** Spaces to compare with, the commoner first: among those that fit, the smallest wins, then the first. */
const candidates: readonly LabellingName[] = [
  "cityscapes-train-ids",
  "cityscapes-ids",
  "scenes-ids",
  "camvid-ids",
  "wilddash2-ids",
  "cityscapes-colours",
  "bdd-colours",
  "camvid-colours",
  "comma10k-colours",
];

/** Label files of WildDash 2 end at 38. What else lies below its last label, 80, is more likely to be ids of another data set. */
const likely = (name: LabellingName, value: string): boolean =>
  name !== "wilddash2-ids" || value === "255" || Number(value) <= 38;

/** A file of another label space has more pixels than this that do not fit; fewer are strays. */
const STRAY_SHARE = 0.05;

/**
 * Does every value of the file lie in another label space we know? Undefined if none fits, or if nearly all of it is as it was said
 * to be: a stray value says nothing about the rest.
 *
 * Called only once a file has been refused, so it may take its time over every pixel.
 */
export function recognise(png: RawPng, rule: LabelRule): Recognised | undefined {
  const ids = png.colour === "rgb" || png.colour === "rgba" ? undefined : new Set(countValues(png, "ids").keys());
  if (ids !== undefined && rule.kind === "ids" && ids.size <= 2 && ids.has("255") && (ids.has("0") || ids.size === 1)) {
    return {
      space: "binary-mask",
      sentence: "It holds nothing but 0 and 255: a mask of one thing, not a map of classes",
      hint: "point the spec at the class maps; a mask of one class needs a classes.json that says what 0 and 255 mean",
    };
  }
  if (ids !== undefined && png.depth === 16 && [...ids].every((id) => Number(id) < 34 || Number(id) >= 1000)) {
    return {
      space: "instances",
      sentence: "Values from 1000 on look like instance ids (class x 1000 + number)",
      hint: "point the spec at the class maps, for Cityscapes those that end in _labelIds.png",
    };
  }
  if (strayShare(png, rule) < STRAY_SHARE) return undefined;
  const colours =
    ids === undefined || png.colour === "palette" ? new Set(countValues(png, "colours").keys()) : undefined;
  const fitting = candidates
    .filter((name) => {
      const { rule: other } = builtInLabellings[name];
      const values = other.kind === "ids" ? ids : colours;
      return (
        !sameRule(other, rule) &&
        values !== undefined &&
        [...values].every((v) => Object.hasOwn(other.meaning, v) && likely(name, v))
      );
    })
    .sort((a, b) => sizeOf(a) - sizeOf(b));
  const space = fitting[0];
  if (space === undefined) return undefined;
  return { space, sentence: `All its values are ${space}`, hint: `read it as ${space}` };
}

/** The share of pixels whose value the rule does not list; all of them where it lists values of another kind. */
function strayShare(png: RawPng, { kind, meaning }: LabelRule): number {
  if (kind === "ids" && (png.colour === "rgb" || png.colour === "rgba")) return 1;
  const counts = [...countValues(png, kind)];
  const strays = counts.filter(([value]) => !Object.hasOwn(meaning, value));
  const pixels = (some: typeof counts): number => some.reduce((sum, [, count]) => sum + count, 0);
  return pixels(strays) / pixels(counts);
}

const sizeOf = (name: LabellingName): number => Object.keys(builtInLabellings[name].rule.meaning).length;

function sameRule(a: LabelRule, b: LabelRule): boolean {
  const keys = Object.keys(a.meaning);
  return (
    a.kind === b.kind &&
    keys.length === Object.keys(b.meaning).length &&
    keys.every((k) => a.meaning[k] === b.meaning[k])
  );
}
