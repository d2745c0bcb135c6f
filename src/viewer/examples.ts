import { basename, extname } from "node:path";
import sharp from "sharp";
import { readImage } from "../data/images/readImage.js";
import type { RgbImage } from "../data/images/tensors.js";
import { render } from "../data/scenes/drawScene.js";
import { type DomainName, domains } from "../data/scenes/spec.js";

export interface Example {
  readonly name: string;
  readonly jpeg: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** Drawn streets: near to what the demo's model was made for first, farther and farther from it then. */
const drawn: readonly (readonly [DomainName, number])[] = [
  ["dusk", 3],
  ["city", 1],
  ["town", 3],
  ["forest", 2],
  ["foothills", 0],
  ["highland", 4],
  ["wild", 1],
];
const DRAWN_SIZE = { width: 768, height: 384 };
/** Examples of a site are at most this wide. */
const MOST_WIDTH = 1600;

/** The images a site begins with: files, or drawn streets. */
export async function exampleImages(files: readonly string[] | "drawn"): Promise<Example[]> {
  const examples: Example[] = [];
  if (files !== "drawn") {
    for (const file of files) examples.push(await example(basename(file, extname(file)), await readImage(file)));
    return examples;
  }
  for (const [place, index] of drawn) {
    // A split of its own, so that nobody's test set is on show.
    const { rgb } = render(domains[place].draw, `0/${place}/page/${index}`, DRAWN_SIZE, { labelled: false });
    examples.push(await example(place, { rgb, ...DRAWN_SIZE }));
  }
  return examples;
}

async function example(name: string, { rgb, width, height }: RgbImage): Promise<Example> {
  const { data, info } = await sharp(rgb, { raw: { width, height, channels: 3 } })
    .resize({ width: Math.min(width, MOST_WIDTH) })
    .jpeg({ quality: 88 })
    .toBuffer({ resolveWithObject: true });
  return { name, jpeg: data, width: info.width, height: info.height };
}
