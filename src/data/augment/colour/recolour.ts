import type { Random } from "../../../engine/tensor/random.js";
import type { Planes } from "../../images/tensors.js";
import { addNoise, greyscale, shuffleChannels } from "./channels.js";
import { motionBlur, sharpen } from "./filters.js";
import { scaleBrightness, scaleContrast, scaleSaturation, shiftHue } from "./jitter.js";

export interface ColourOptions {
  /** Exactly one of sharpness, posterise, equalise, motion blur, greyscale, noise, channel shuffle, before the jitter. */
  readonly disturb: boolean;
  readonly jitter: {
    readonly brightness: number;
    readonly contrast: number;
    readonly saturation: number;
    readonly hue: number;
  };
}

type Extent = readonly [height: number, width: number];
type Change = (planes: Planes, extent: Extent, random: Random) => void;

/** Uniform between two numbers. */
const between = ({ uniform }: Random, low: number, high: number): number => low + (high - low) * uniform();

/** Of these exactly one, each as likely. Strengths are those of the authors' code (requirement A-6). */
const disturbances: readonly Change[] = [
  (planes, extent, random) => sharpen(planes, extent, random.uniform()),
  (planes) => posterise(planes, 6),
  (planes) => equalise(planes),
  (planes, extent, random) => motionBlur(planes, extent, between(random, -30, 30), between(random, -1, 1)),
  (planes) => greyscale(planes),
  (planes, _, random) => addNoise(planes, 0.01, random),
  (planes, _, random) => shuffleChannels(planes, shuffled([0, 1, 2], random)),
];

/** Other colours (C in Eq. 6), in place: one disturbance, then the four jitters in random order. Values stay within 0 and 1. */
export function recolour(planes: Planes, extent: Extent, colour: ColourOptions | "off", random: Random): void {
  if (colour === "off") return;
  if (colour.disturb) disturbances[random.below(disturbances.length)]!(planes, extent, random);

  const { brightness, contrast, saturation, hue } = colour.jitter;
  const factor = (reach: number): number => between(random, Math.max(0, 1 - reach), 1 + reach);
  const [brighter, harder, stronger, turn] = [
    factor(brightness),
    factor(contrast),
    factor(saturation),
    between(random, -hue, hue),
  ];
  const jitters = [
    () => scaleBrightness(planes, brighter),
    () => scaleContrast(planes, harder),
    () => scaleSaturation(planes, stronger),
    () => shiftHue(planes, turn),
  ];
  for (const jitter of shuffled(jitters, random)) jitter();
}

function shuffled<T>(things: readonly T[], { below }: Random): T[] {
  const order = [...things];
  for (let i = order.length - 1; i > 0; i--) {
    const j = below(i + 1);
    [order[i], order[j]] = [order[j]!, order[i]!];
  }
  return order;
}

/** The byte nearest to a value between 0 and 1. */
const byte = (value: number): number => (value * 255 + 0.5) | 0;

/** Keep the highest `bits` of each byte and clear the rest: 6 bits leave 0, 4, 8, … 252. In place. */
export function posterise(planes: Planes, bits: number): void {
  const kept = (0xff << (8 - bits)) & 0xff;
  for (let i = 0; i < planes.length; i++) planes[i] = (byte(planes[i]!) & kept) / 255;
}

/**
 * Spread the tones of each channel evenly over the range, as Pillow's and torchvision's `equalize`. In place.
 *
 * With the n pixels of a channel counted by byte, a step is (n - pixels of the brightest byte) / 255, rounded down. A byte
 * becomes (pixels darker than it + half a step) / step, rounded down, 255 at most. A channel of less than a step is left alone.
 */
export function equalise(planes: Planes): void {
  const pixels = planes.length / 3;
  for (let channel = 0; channel < 3; channel++) {
    const plane = planes.subarray(channel * pixels, (channel + 1) * pixels);
    const counts = new Int32Array(256);
    for (let i = 0; i < pixels; i++) counts[byte(plane[i]!)]!++;
    const step = Math.floor((pixels - counts.findLast((count) => count > 0)!) / 255);
    if (step === 0) continue;
    let darker = step >> 1;
    const tones = Float32Array.from(counts, (count) => {
      const tone = Math.min(255, Math.floor(darker / step)) / 255;
      darker += count;
      return tone;
    });
    for (let i = 0; i < pixels; i++) plane[i] = tones[byte(plane[i]!)]!;
  }
}
