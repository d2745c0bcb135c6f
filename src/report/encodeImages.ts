import { encode } from "fast-png";
import sharp from "sharp";
import { decodeImage } from "../data/images/readImage.js";
import { nearestMap } from "../data/images/scale.js";
import { levelOfCode, type StoredExample } from "../evaluation/results/examples.js";
import type { ExampleOfMethod, ReportExample } from "./reportData.js";

/** One image with what each method left of it; null for a method that kept no maps of it. */
export interface Shown {
  readonly id: string;
  readonly methods: readonly (Shot | null)[];
}

export interface Shot {
  readonly example: StoredExample;
  readonly accuracy: number | null;
  readonly auroc: number | null;
  readonly confused: ExampleOfMethod["confused"];
}

/** Widths to try, largest first. */
const widths = [640, 512, 448, 384, 320, 256, 192, 128, 96] as const;

/**
 * The images as data addresses that together take at most `budget` bytes: as wide as that allows, never wider than they
 * are. Maps are thinned by picking pixels, so that each pixel shown is one that was scored.
 */
export async function encodeImages(shown: readonly Shown[], budget: number): Promise<ReportExample[]> {
  const sample = shown.filter((_, k) => k % Math.ceil(shown.length / 4) === 0);
  for (const width of widths) {
    const last = width === widths.at(-1);
    const guess = bytesOf(await encodeAll(sample, width)) * (shown.length / Math.max(1, sample.length));
    if (guess > budget * 1.1 && !last) continue;
    const examples = await encodeAll(shown, width);
    if (bytesOf(examples) <= budget || last) return examples;
  }
  return [];
}

async function encodeAll(shown: readonly Shown[], widest: number): Promise<ReportExample[]> {
  const examples: ReportExample[] = [];
  for (const one of shown) examples.push(await encodeOne(one, widest));
  return examples;
}

async function encodeOne({ id, methods }: Shown, widest: number): Promise<ReportExample> {
  const first = methods.find((shot) => shot !== null)!.example;
  const withImage = methods.find((shot) => shot?.example.jpeg != null)?.example ?? first;
  const width = Math.min(widest, first.width);
  const height = Math.max(1, Math.round((first.height * width) / first.width));
  const size = { width, height };
  const map = (values: Uint8Array): string =>
    dataAddress("image/png", encode({ ...size, data: nearestMap(values, first, size), channels: 1, depth: 8 }, best));
  return {
    id,
    width,
    height,
    image: withImage.jpeg === null ? null : await smallJpeg(withImage.jpeg, { width, height }),
    labels: map(first.labels),
    methods: await Promise.all(
      methods.map(async (shot) =>
        // Images of another size are images of something else.
        shot === null || shot.example.width !== first.width || shot.example.height !== first.height
          ? null
          : {
              predicted: map(shot.example.predicted),
              levels: await smoothMap(nearestMap(levelsOf(shot.example.codes), first, size), size),
              accuracy: shot.accuracy,
              auroc: shot.auroc,
              confused: shot.confused,
            },
      ),
    ),
  };
}

interface Size {
  readonly width: number;
  readonly height: number;
}

const best = { zlib: { level: 9 } } as const;

function levelsOf(codes: Uint16Array): Uint8Array {
  const levels = new Uint8Array(codes.length);
  for (let i = 0; i < codes.length; i++) levels[i] = Math.min(255, levelOfCode(codes[i]!));
  return levels;
}

/** Uncertainty is smooth where classes are flat: predicting each pixel from its neighbours saves a third. */
async function smoothMap(data: Uint8Array, { width, height }: Size): Promise<string> {
  const map = sharp(data, { raw: { width, height, channels: 1 } }).toColourspace("b-w");
  return dataAddress("image/png", await map.png({ compressionLevel: 9, adaptiveFiltering: true }).toBuffer());
}

async function smallJpeg(jpeg: Uint8Array, { width, height }: Size): Promise<string> {
  const { image: whole } = await decodeImage(jpeg, "an example's image.jpg");
  const raw = { width: whole.width, height: whole.height, channels: 3 } as const;
  const image = sharp(whole.rgb, { raw }).resize(width, height, { fit: "fill" });
  return dataAddress("image/jpeg", await image.jpeg({ quality: 80, mozjpeg: true }).toBuffer());
}

const dataAddress = (type: string, bytes: Uint8Array): string =>
  `data:${type};base64,${Buffer.from(bytes).toString("base64")}`;

const bytesOf = (examples: readonly ReportExample[]): number => JSON.stringify(examples).length;
