import type { ClassName } from "../world/classes.js";
import { type Colour, palette } from "../world/colour.js";

export type Profile = readonly (readonly [along: number, up: number])[];

/** Side profiles, from the rear to the front: shares of the length, metres up. */
export interface Shape {
  readonly class: ClassName;
  readonly length: number;
  readonly half: number;
  readonly body: Profile;
  /** The part with windows, narrower than the body. */
  readonly cabin?: Profile;
  readonly wheel: number;
  readonly axles: readonly number[];
}

export const shapes = {
  hatchback: {
    class: "car",
    length: 3.9,
    half: 0.86,
    wheel: 0.31,
    axles: [0.17, 0.8],
    body: [
      [0, 0.3],
      [0.01, 0.9],
      [0.3, 0.95],
      [0.72, 0.92],
      [0.97, 0.78],
      [1, 0.3],
    ],
    cabin: [
      [0.02, 0.9],
      [0.08, 1.42],
      [0.5, 1.46],
      [0.74, 0.92],
    ],
  },
  saloon: {
    class: "car",
    length: 4.6,
    half: 0.9,
    wheel: 0.32,
    axles: [0.18, 0.81],
    body: [
      [0, 0.3],
      [0, 0.92],
      [0.2, 0.97],
      [0.7, 0.93],
      [0.98, 0.78],
      [1, 0.3],
    ],
    cabin: [
      [0.14, 0.95],
      [0.28, 1.4],
      [0.54, 1.42],
      [0.72, 0.93],
    ],
  },
  estate: {
    class: "car",
    length: 4.7,
    half: 0.9,
    wheel: 0.33,
    axles: [0.18, 0.81],
    body: [
      [0, 0.3],
      [0, 0.95],
      [0.3, 0.98],
      [0.72, 0.95],
      [0.98, 0.8],
      [1, 0.3],
    ],
    cabin: [
      [0.01, 0.95],
      [0.05, 1.46],
      [0.52, 1.48],
      [0.73, 0.95],
    ],
  },
  suv: {
    class: "car",
    length: 4.5,
    half: 0.95,
    wheel: 0.38,
    axles: [0.18, 0.81],
    body: [
      [0, 0.4],
      [0, 1.08],
      [0.3, 1.12],
      [0.72, 1.1],
      [0.98, 0.98],
      [1, 0.4],
    ],
    cabin: [
      [0.01, 1.08],
      [0.05, 1.72],
      [0.55, 1.74],
      [0.75, 1.1],
    ],
  },
  van: {
    class: "car",
    length: 5,
    half: 1,
    wheel: 0.36,
    axles: [0.18, 0.82],
    body: [
      [0, 0.35],
      [0, 2.1],
      [0.62, 2.15],
      [0.78, 1.9],
      [0.9, 1.2],
      [1, 1],
      [1, 0.35],
    ],
  },
  lorry: {
    class: "truck",
    length: 8.5,
    half: 1.22,
    wheel: 0.5,
    axles: [0.12, 0.24, 0.86],
    body: [
      [0, 0.7],
      [0, 3.4],
      [0.74, 3.4],
      [0.75, 0.7],
    ],
    cabin: [
      [0.77, 0.5],
      [0.77, 2.9],
      [0.93, 2.9],
      [1, 1.5],
      [1, 0.5],
    ],
  },
  tipper: {
    class: "truck",
    length: 7,
    half: 1.2,
    wheel: 0.5,
    axles: [0.14, 0.28, 0.84],
    body: [
      [0, 0.9],
      [-0.02, 2.3],
      [0.7, 2.4],
      [0.7, 0.9],
    ],
    cabin: [
      [0.74, 0.5],
      [0.74, 2.7],
      [0.93, 2.7],
      [1, 1.5],
      [1, 0.5],
    ],
  },
  bus: {
    class: "bus",
    length: 11.5,
    half: 1.27,
    wheel: 0.5,
    axles: [0.22, 0.8],
    body: [
      [0, 0.35],
      [0, 3],
      [0.98, 3],
      [1, 1.2],
      [1, 0.35],
    ],
  },
  doubleDecker: {
    class: "bus",
    length: 10.5,
    half: 1.27,
    wheel: 0.5,
    axles: [0.22, 0.8],
    body: [
      [0, 0.35],
      [0, 4.4],
      [0.97, 4.4],
      [1, 1.2],
      [1, 0.35],
    ],
  },
  tram: {
    class: "train",
    length: 27,
    half: 1.25,
    wheel: 0.35,
    axles: [0.15, 0.5, 0.85],
    body: [
      [0, 0.3],
      [0.01, 2.4],
      [0.03, 3.4],
      [0.97, 3.4],
      [0.99, 2.4],
      [1, 0.3],
    ],
  },
} as const satisfies Record<string, Shape>;

export type VehicleKind = keyof typeof shapes;

/** What cars are painted in. */
export const paints: readonly Colour[] = palette(
  "#e8e8e6 #d2d5d8 #9aa0a6 #5b6066 #26282b #15161a #7a1717 #b3261e #1d3f78 #2f6db0 #14402b #6f7f4f #c9b79a #8a5a2b #d9a520 #3c6e71 #5a3d6b #c65d21 #f2efe6 #33415c",
);
/** What companies paint theirs in. */
export const liveries: Readonly<Partial<Record<VehicleKind, readonly Colour[]>>> = {
  bus: palette("#d8d8d2 #c7a31d #20538f #8b1e1e #3a7d44 #e4e4e4"),
  doubleDecker: palette("#b3161b #c21f24 #a5141a #23406e"),
  tram: palette("#d9c23a #c9302c #e9e9e4 #2d6a9f #3c7a3c"),
  lorry: palette("#e6e6e2 #c8ccd0 #2c5aa0 #a83232 #3f6f4a #d8b13a #777b80"),
  tipper: palette("#d98e1f #b58a3a #6d7278 #8d2f23"),
};
