import fc from "fast-check";
import type { Shape } from "../src/engine/tensor/shape.js";

/** Runs of a property test over random shapes. The seed is fixed: a failure is a failure for everybody. */
export const MANY = { numRuns: 25, seed: 1 } as const;

const extent = fc.integer({ min: 1, max: 4 });

/** A small shape of one to four axes. */
export const anyShape: fc.Arbitrary<Shape> = fc.array(extent, { minLength: 1, maxLength: 4 });

/** A small image [N, C, H, W]. */
export const anyImage: fc.Arbitrary<Shape> = fc.tuple(
  fc.integer({ min: 1, max: 3 }),
  fc.integer({ min: 1, max: 4 }),
  fc.integer({ min: 2, max: 7 }),
  fc.integer({ min: 2, max: 7 }),
);

/** Two shapes that broadcast: some axes of either are 1, and either may lack leading axes. */
export const broadcastPair: fc.Arbitrary<readonly [Shape, Shape]> = anyShape.chain((full) =>
  fc
    .record({
      squeeze: fc.array(fc.constantFrom("left", "right", "neither"), {
        minLength: full.length,
        maxLength: full.length,
      }),
      cut: fc.integer({ min: 0, max: full.length }),
      swap: fc.boolean(),
    })
    .map(({ squeeze, cut, swap }) => {
      const side = (name: string): number[] => full.map((n, i) => (squeeze[i] === name ? 1 : n));
      const pair = [side("left"), side("right").slice(cut)] as const;
      return swap ? ([pair[1], pair[0]] as const) : pair;
    }),
);

/** A shape and some of its axes. */
export const shapeAndAxes: fc.Arbitrary<{ shape: Shape; axes: number[] }> = anyShape.chain((shape) =>
  fc
    .subarray(
      shape.map((_, i) => i),
      { minLength: 1 },
    )
    .map((axes) => ({ shape, axes })),
);
