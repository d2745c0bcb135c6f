import type { Random } from "../../../engine/tensor/random.js";
import type { Planes } from "../../images/tensors.js";
import { addNoise, greyscale, shuffleChannels } from "./channels.js";
import { motionBlur, sharpen } from "./filters.js";
import { scaleBrightness, scaleContrast, scaleSaturation, shiftHue } from "./jitter.js";
import { equalise, posterise } from "./tones.js";

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
