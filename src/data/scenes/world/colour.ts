/** Red, green and blue, 0 to 255, not necessarily whole. */
export type Colour = readonly [number, number, number];

/** "#aabbcc" to a colour. */
function hex(text: string): Colour {
  return colourOf(Number.parseInt(text.slice(1), 16));
}

/** A list of "#aabbcc", for palettes. */
export function palette(text: string): readonly Colour[] {
  return text.trim().split(/\s+/).map(hex);
}

/** From a to b as share goes from 0 to 1. */
export function mix(a: Colour, b: Colour, share: number): Colour {
  return [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share, a[2] + (b[2] - a[2]) * share];
}

export function scale(colour: Colour, factor: number): Colour {
  return [colour[0] * factor, colour[1] * factor, colour[2] * factor];
}

/** Move each channel by at most `amount`, together (lighter, darker) and apart (hue). */
export function vary(colour: Colour, chance: { between(low: number, high: number): number }, amount: number): Colour {
  const light = chance.between(-amount, amount);
  const apart = amount * 0.35;
  return [
    colour[0] + light + chance.between(-apart, apart),
    colour[1] + light + chance.between(-apart, apart),
    colour[2] + light + chance.between(-apart, apart),
  ];
}

const byte = (x: number): number => Math.max(0, Math.min(255, Math.round(x)));

/** As painted: 0xrrggbb. */
export function ink(colour: Colour): number {
  return inkOf(colour[0], colour[1], colour[2]);
}

export function inkOf(red: number, green: number, blue: number): number {
  return (byte(red) << 16) | (byte(green) << 8) | byte(blue);
}

/** The colour of an ink. */
export function colourOf(painted: number): Colour {
  return [painted >> 16, (painted >> 8) & 255, painted & 255];
}
