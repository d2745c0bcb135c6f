interface Extent {
  readonly width: number;
  readonly height: number;
}

/** A map of values at another size: each pixel takes the value of the nearest one. */
export function nearestMap<Values extends Uint8Array | Float32Array>(values: Values, from: Extent, to: Extent): Values {
  if (from.width === to.width && from.height === to.height) return values;
  const scaled = new (values.constructor as new (length: number) => Values)(to.width * to.height);
  const columns = Int32Array.from({ length: to.width }, (_, x) => Math.floor(((x + 0.5) * from.width) / to.width));
  for (let y = 0; y < to.height; y++) {
    const row = from.width * Math.floor(((y + 0.5) * from.height) / to.height);
    for (let x = 0; x < to.width; x++) scaled[y * to.width + x] = values[row + columns[x]!]!;
  }
  return scaled;
}
