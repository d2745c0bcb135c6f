/** Stops of cividis, which runs evenly from dark blue to yellow for every kind of colour vision. */
export const heatStops = [
  [0, 32, 77],
  [49, 68, 107],
  [102, 105, 112],
  [149, 143, 120],
  [203, 186, 105],
  [255, 234, 70],
] as const;

type Stops = readonly (readonly [red: number, green: number, blue: number])[];

/** Write the colour of a share from 0 to 1 into bytes, beginning at `at`. */
export function heat(out: Uint8Array | Uint8ClampedArray, at: number, share: number, stops: Stops = heatStops): void {
  const along = share * (stops.length - 1);
  const below = Math.min(stops.length - 2, Math.floor(along));
  for (let c = 0; c < 3; c++) {
    out[at + c] = stops[below]![c]! + (along - below) * (stops[below + 1]![c]! - stops[below]![c]!);
  }
}
