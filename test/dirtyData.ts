import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import sharp from "sharp";
import { colourMap, idMap, testImage, writeFiles } from "./folders.js";
import { chunk, makePng } from "./makePng.js";

/** One thing that goes wrong with data sets, and what must be said about it. */
export interface DirtyData {
  readonly name: string;
  /** Files below the root; the images lie in img, their labels in gt. One good pair, `img/0.png` and `gt/0.png`, is always there. */
  readonly make: (root: string) => Promise<void>;
  /** Refused: an error, training must not start. Warned: said, and used. Fine: used without a message. */
  readonly verdict: "refused" | "warned" | "fine";
  readonly code?: string;
  /** The file that must be named, below the root. */
  readonly file?: string;
  readonly message?: RegExp;
  /** Label space of gt; cityscapes-train-ids when left out. "none" makes the set unlabelled. */
  readonly classes?: string;
}

const WIDTH = 40;
const HEIGHT = 32;

/** Spec of a made folder. */
export function dirtySpec(root: string, { classes = "cityscapes-train-ids" }: Pick<DirtyData, "classes">): string {
  return classes === "none" ? `folder:${root}/img` : `folder:${root}?images=img&labels=gt&classes=${classes}`;
}

/** Make a fixture: the good pair, then what is dirty. */
export async function makeDirty(root: string, dirty: DirtyData): Promise<string> {
  const good =
    dirty.classes === "cityscapes-colours" ? colourMap(WIDTH, HEIGHT, [[128, 64, 128]]) : idMap(WIDTH, HEIGHT, [0, 13]);
  await writeFiles(root, { "img/0.png": await testImage(WIDTH, HEIGHT, 99).png().toBuffer(), "gt/0.png": good });
  await dirty.make(root);
  return dirtySpec(root, dirty);
}

type Bytes = Uint8Array | Promise<Uint8Array>;
const street = (seed = 1) => testImage(WIDTH, HEIGHT, seed);
const goodLabels = (): Buffer => idMap(WIDTH, HEIGHT, [0, 13, 255]);

/** A pair of which one is dirty; the other is good. */
const pair =
  (image: () => Bytes, labels: () => Bytes = goodLabels, ending = "png") =>
  async (root: string): Promise<void> =>
    writeFiles(root, { [`img/1.${ending}`]: await image(), "gt/1.png": await labels() });
const png = (): Promise<Buffer> => street().png().toBuffer();
const labelsOnly = (labels: () => Bytes) => pair(png, labels);

/** Noise, so that a cut goes through pixels and not through a trailer. */
const noisy = (format: "jpeg" | "png"): Promise<Buffer> =>
  sharp({
    create: {
      width: 320,
      height: 240,
      channels: 3,
      background: "#888",
      noise: { type: "gaussian", mean: 128, sigma: 40 },
    },
  })
    .toFormat(format)
    .toBuffer();
const cut = async (bytes: Promise<Buffer>, share: number): Promise<Buffer> => {
  const whole = await bytes;
  return whole.subarray(0, Math.floor(whole.length * share));
};
const flipped = async (bytes: Bytes): Promise<Buffer> => {
  const copy = Buffer.from(await bytes);
  copy[copy.length - 20]! ^= 8;
  return copy;
};
const frames = () =>
  sharp(Buffer.concat([Buffer.alloc(WIDTH * HEIGHT * 3, 40), Buffer.alloc(WIDTH * HEIGHT * 3, 200)]), {
    raw: { width: WIDTH, height: HEIGHT * 2, channels: 3, pageHeight: HEIGHT },
  });

/** Black pixels of one bit, a PNG as small as it can be: 900 million in about a hundred kilobytes. */
export function bomb(width = 30_000, height = 30_000): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([1, 0, 0, 0, 0], 8);
  const pixels = deflateSync(Buffer.alloc(height * (1 + Math.ceil(width / 8))), { level: 9 });
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunk("IHDR", header), chunk("IDAT", pixels), chunk("IEND", Buffer.alloc(0))]);
}

const heic = (): Buffer =>
  Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from("ftypheic\0\0\0\0mif1heic", "latin1"), Buffer.alloc(64)]);

const images: readonly DirtyData[] = [
  {
    name: "an empty image",
    make: pair(() => Buffer.alloc(0)),
    verdict: "refused",
    code: "image-empty",
    file: "img/1.png",
  },
  {
    name: "text renamed .png",
    make: pair(() => Buffer.from("these are not the pixels you are looking for")),
    verdict: "refused",
    code: "image-unsupported",
    file: "img/1.png",
    message: /is text/,
  },
  ...[0.1, 0.5, 0.9].map(
    (share): DirtyData => ({
      name: `a JPEG cut off at ${share * 100} %`,
      make: pair(
        () => cut(noisy("jpeg"), share),
        () => idMap(320, 240, 0),
        "jpg",
      ),
      verdict: "refused",
      code: "image-damaged",
      file: "img/1.jpg",
    }),
  ),
  {
    name: "a PNG image cut off",
    make: pair(
      () => cut(noisy("png"), 0.7),
      () => idMap(320, 240, 0),
    ),
    verdict: "refused",
    code: "image-damaged",
    file: "img/1.png",
  },
  {
    name: "a PNG image with a wrong checksum",
    make: pair(
      () => flipped(noisy("png")),
      () => idMap(320, 240, 0),
    ),
    verdict: "refused",
    code: "image-damaged",
    file: "img/1.png",
  },
  {
    name: "a progressive JPEG",
    make: pair(() => street().jpeg({ progressive: true }).toBuffer(), goodLabels, "jpg"),
    verdict: "fine",
  },
  {
    name: "a CMYK JPEG",
    make: pair(() => street().toColourspace("cmyk").jpeg().toBuffer(), goodLabels, "jpg"),
    verdict: "fine",
  },
  {
    name: "a grey image",
    make: pair(() => street().greyscale().toColourspace("b-w").png().toBuffer()),
    verdict: "fine",
  },
  { name: "an image of 16 bits", make: pair(() => street().toColourspace("rgb16").png().toBuffer()), verdict: "fine" },
  {
    name: "an image with a wide-gamut profile",
    make: pair(() => street().withIccProfile("p3").jpeg().toBuffer(), goodLabels, "jpg"),
    verdict: "fine",
  },
  {
    name: "an image with transparency",
    make: pair(() => street().ensureAlpha(0.5).png().toBuffer()),
    verdict: "warned",
    code: "image-transparent",
    file: "img/1.png",
  },
  {
    name: "an animated GIF",
    make: pair(() => frames().gif().toBuffer(), goodLabels, "gif"),
    verdict: "warned",
    code: "image-animated",
    file: "img/1.gif",
  },
  {
    name: "an animated WebP",
    make: pair(() => frames().webp().toBuffer(), goodLabels, "webp"),
    verdict: "warned",
    code: "image-animated",
    file: "img/1.webp",
  },
  {
    name: "a HEIC",
    make: pair(heic, goodLabels, "heic"),
    verdict: "refused",
    code: "image-unsupported",
    file: "img/1.heic",
    message: /is HEIC/,
  },
  {
    name: "a BMP",
    make: pair(() => Buffer.concat([Buffer.from("BM"), Buffer.alloc(100)]), goodLabels, "bmp"),
    verdict: "refused",
    code: "image-unsupported",
    file: "img/1.bmp",
  },
  {
    name: "an SVG renamed .png",
    make: pair(() => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="40" height="32"/>')),
    verdict: "refused",
    code: "image-unsupported",
    file: "img/1.png",
  },
  {
    name: "an image that is a bomb",
    make: pair(bomb),
    verdict: "refused",
    code: "image-too-large",
    file: "img/1.png",
  },
  ...(
    [
      [1, 1],
      [1, 10_000],
    ] as const
  ).map(
    ([width, height]): DirtyData => ({
      name: `an image of ${width} x ${height}`,
      make: pair(
        () => testImage(width, height).png().toBuffer(),
        () => idMap(width, height, 0),
      ),
      verdict: "warned",
      code: "image-tiny",
      file: "img/1.png",
    }),
  ),
  {
    name: "a JPEG of 8192 x 8192",
    make: pair(
      () =>
        sharp({ create: { width: 8192, height: 8192, channels: 3, background: "#345" } })
          .jpeg()
          .toBuffer(),
      goodLabels,
      "jpg",
    ),
    classes: "none",
    verdict: "fine",
  },
];

/** 2, 3 and 4 keep the size, 5 to 8 swap its sides. */
const orientations: readonly DirtyData[] = [
  ...[2, 3, 4, 5, 6, 7, 8].map(
    (orientation): DirtyData => ({
      name: `EXIF orientation ${orientation}, labels upright`,
      make: pair(
        () => street().withMetadata({ orientation }).jpeg().toBuffer(),
        () => (orientation > 4 ? idMap(HEIGHT, WIDTH, 0) : idMap(WIDTH, HEIGHT, 0)),
        "jpg",
      ),
      verdict: "warned",
      code: "image-rotated",
      file: "img/1.jpg",
      message: new RegExp(`EXIF orientation ${orientation}`),
    }),
  ),
  {
    name: "EXIF orientation 6, labels as the camera lay",
    make: pair(() => street().withMetadata({ orientation: 6 }).jpeg().toBuffer(), goodLabels, "jpg"),
    verdict: "refused",
    code: "label-size",
    file: "gt/1.png",
    message: /is 40 x 32, but its image .*1\.jpg is 32 x 40 once it is turned upright/,
  },
];

const palette = (count: number): [number, number, number][] => Array.from({ length: count }, () => [7, 7, 7]);
const levels = (depth: number) => Array.from({ length: WIDTH * HEIGHT }, (_, i) => i % Math.min(2 ** depth, 19));

const labelKinds: readonly DirtyData[] = [
  ...[1, 2, 4, 16].map(
    (depth): DirtyData => ({
      name: `a grey label map of ${depth} bits`,
      make: labelsOnly(() => makePng({ width: WIDTH, height: HEIGHT, depth, type: 0, values: levels(depth) })),
      verdict: "fine",
    }),
  ),
  ...[1, 2, 4, 8].flatMap((depth) =>
    [false, true].map(
      (interlaced): DirtyData => ({
        name: `a palette label map of ${depth} bits, colours twice, transparent${interlaced ? ", interlaced" : ""}`,
        make: labelsOnly(() =>
          makePng({
            width: WIDTH,
            height: HEIGHT,
            depth,
            type: 3,
            values: levels(depth),
            palette: palette(2 ** depth),
            transparency: [0, 9],
            interlaced,
          }),
        ),
        verdict: "fine",
      }),
    ),
  ),
  {
    name: "an RGB label map with a colour map",
    make: labelsOnly(() =>
      colourMap(WIDTH, HEIGHT, [
        [128, 64, 128],
        [0, 0, 142],
      ]),
    ),
    classes: "cityscapes-colours",
    verdict: "fine",
  },
  {
    name: "an RGB label map where ids were expected",
    make: labelsOnly(() =>
      colourMap(WIDTH, HEIGHT, [
        [128, 64, 128],
        [0, 0, 142],
      ]),
    ),
    verdict: "refused",
    code: "label-kind",
    file: "gt/1.png",
    message: /holds colours, wanted ids. All its values are cityscapes-colours/,
  },
];

const labelFaults: readonly DirtyData[] = [
  {
    name: "an empty label map",
    make: labelsOnly(() => Buffer.alloc(0)),
    verdict: "refused",
    code: "label-empty",
    file: "gt/1.png",
  },
  {
    name: "a text in place of a label map",
    make: labelsOnly(() => Buffer.from("0 0 0 1 1 1")),
    verdict: "refused",
    code: "label-unsupported",
    file: "gt/1.png",
  },
  {
    name: "a label map cut off",
    make: labelsOnly(() => cut(Promise.resolve(goodLabels()), 0.8)),
    verdict: "refused",
    code: "label-damaged",
    file: "gt/1.png",
  },
  {
    name: "a label map with a wrong checksum",
    make: labelsOnly(() => flipped(goodLabels())),
    verdict: "refused",
    code: "label-damaged",
    file: "gt/1.png",
    message: /checksum/,
  },
  {
    name: "a JPEG label map",
    make: labelsOnly(() => street().jpeg().toBuffer()),
    verdict: "refused",
    code: "label-lossy",
    file: "gt/1.png",
    message: /lossy/,
  },
  {
    name: "a label map that is a bomb",
    make: labelsOnly(bomb),
    verdict: "refused",
    code: "label-too-large",
    file: "gt/1.png",
    message: /30000 x 30000/,
  },
  {
    name: "an id of 34",
    make: labelsOnly(() => idMap(WIDTH, HEIGHT, [0, 1, 34])),
    verdict: "refused",
    code: "label-value",
    file: "gt/1.png",
    message: /holds id 34 at \(2, 0\); listed are 0 to 18, 255/,
  },
  {
    name: "label ids in place of train ids",
    make: labelsOnly(() => idMap(WIDTH, HEIGHT, [7, 26, 33])),
    verdict: "refused",
    code: "label-value",
    file: "gt/1.png",
    message: /All its values are cityscapes-ids/,
  },
  {
    name: "train ids in place of label ids",
    make: labelsOnly(() => idMap(WIDTH, HEIGHT, [0, 2, 13])),
    classes: "cityscapes-ids",
    verdict: "refused",
    code: "label-space",
    message: /look like train ids/,
  },
  {
    name: "an id of 255 where it means nothing",
    make: labelsOnly(() => idMap(WIDTH, HEIGHT, [0, 1, 255])),
    classes: "scenes-ids",
    verdict: "refused",
    code: "label-value",
    file: "gt/1.png",
    message: /holds id 255 at \(2, 0\)/,
  },
  {
    name: "a mask of 0 and 255",
    make: labelsOnly(() => idMap(WIDTH, HEIGHT, [0, 255])),
    classes: "scenes-ids",
    verdict: "refused",
    code: "label-value",
    file: "gt/1.png",
    message: /a mask of one thing/,
  },
  {
    name: "an id of 65535",
    make: labelsOnly(() =>
      makePng({
        width: WIDTH,
        height: HEIGHT,
        depth: 16,
        type: 0,
        values: levels(4).map((v, i) => (i === 41 ? 65_535 : v)),
      }),
    ),
    verdict: "refused",
    code: "label-value",
    file: "gt/1.png",
    message: /holds id 65535 at \(1, 1\)/,
  },
  {
    name: "a label map that is all void",
    make: labelsOnly(() => idMap(WIDTH, HEIGHT, 255)),
    verdict: "warned",
    code: "label-all-void",
    file: "gt/1.png",
  },
  ...(
    [
      ["one pixel wider", WIDTH + 1, HEIGHT],
      ["twice as large", 2 * WIDTH, 2 * HEIGHT],
      ["transposed", HEIGHT, WIDTH],
    ] as const
  ).map(
    ([how, width, height]): DirtyData => ({
      name: `a label map ${how}`,
      make: labelsOnly(() => idMap(width, height, 0)),
      verdict: "refused",
      code: "label-size",
      file: "gt/1.png",
      message: new RegExp(`is ${width} x ${height}, but its image .* is 40 x 32`),
    }),
  ),
];

const arrangements: readonly DirtyData[] = [
  {
    name: "an image without labels",
    make: async (root) => writeFiles(root, { "img/1.png": await png() }),
    verdict: "refused",
    code: "label-missing",
    file: "gt/1.png",
  },
  {
    name: "labels without an image",
    make: (root) => writeFiles(root, { "gt/1.png": goodLabels() }),
    verdict: "warned",
    code: "label-orphan",
    file: "gt/1.png",
  },
  {
    name: "two images of one name",
    make: async (root) =>
      writeFiles(root, {
        "img/1.png": await png(),
        "img/1.jpg": await street(2).jpeg().toBuffer(),
        "gt/1.png": goodLabels(),
      }),
    verdict: "refused",
    code: "stem-twice",
    file: "img/1.jpg",
    message: /1\.png is an image of the same name/,
  },
  {
    name: "the same image under two names",
    make: async (root) =>
      writeFiles(root, {
        "img/1.png": await png(),
        "img/2.png": await png(),
        "gt/1.png": goodLabels(),
        "gt/2.png": goodLabels(),
      }),
    verdict: "warned",
    code: "content-twice",
    file: "img/2.png",
  },
  {
    name: "a folder that links to itself",
    make: async (root) => symlink(join(root, "img"), join(root, "img", "again")),
    verdict: "warned",
    code: "link-loop",
    file: "img/again",
  },
  {
    name: "an image that links to itself",
    make: async (root) => {
      await symlink(join(root, "img", "1.png"), join(root, "img", "1.png"));
      await writeFiles(root, { "gt/1.png": goodLabels() });
    },
    verdict: "refused",
    code: "image-missing",
    file: "img/1.png",
    message: /is a circular symlink/,
  },
  {
    name: "a folder named like an image",
    make: async (root) => {
      await mkdir(join(root, "img", "1.png"));
      await writeFiles(root, { "gt/1.png": goodLabels() });
    },
    verdict: "warned",
    code: "label-orphan",
    file: "gt/1.png",
  },
  {
    name: "a name that rings the bell and writes to the terminal",
    make: async (root) =>
      writeFiles(root, { "img/a\u001b[2J\u0007.png": Buffer.alloc(0), "gt/a\u001b[2J\u0007.png": goodLabels() }),
    verdict: "refused",
    code: "image-empty",
    message: /a\\x1b\[2J\\x07\.png: the file is empty/,
  },
];

/** Every fixture: dirty data with its verdict. */
export const dirtyData: readonly DirtyData[] = [
  ...images,
  ...orientations,
  ...labelKinds,
  ...labelFaults,
  ...arrangements,
];
