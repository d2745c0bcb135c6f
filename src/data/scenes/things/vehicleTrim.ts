import { type Colour, scale, vary } from "../world/colour.js";
import type { Item } from "../world/drawing.js";
import { glowing, lit } from "../world/light.js";
import { shrink } from "../world/outline.js";
import type { SeededRandom } from "../world/seededRandom.js";
import type { Frame } from "../world/solid.js";
import type { Point } from "../world/view.js";
import { paints, type Shape, type VehicleKind } from "./vehicleShapes.js";

/** Window bands of buses and trams, a stripe, a destination board. */
export function coach(
  item: Item,
  frame: Frame,
  { length, half, body }: Shape,
  kind: VehicleKind,
  chance: SeededRandom,
): void {
  const { light } = frame.world;
  const top = Math.max(...body.map(([, up]) => up));
  const decks =
    kind === "doubleDecker"
      ? ([
          [1.2, 2.1],
          [2.9, 3.9],
        ] as const)
      : ([[1.3, top - 0.55]] as const);
  const glass = light.night
    ? glowing(light, [250, 225, 170], frame.z)
    : lit(light, [52, 62, 72], [0, 0.2, -1], frame.z);
  const stripe = lit(light, vary(chance.pick(paints), chance, 10), [0, 0, -1], frame.z);
  for (const which of [-1, 1] as const) {
    const rect = (a0: number, a1: number, h0: number, h1: number): Point[] | undefined =>
      frame.side(which, half, [
        [a0 * length, h0],
        [a0 * length, h1],
        [a1 * length, h1],
        [a1 * length, h0],
      ]);
    for (const [h0, h1] of decks) {
      for (let i = 0; i < 7; i++) {
        const pane = rect(-0.47 + i * 0.135, -0.47 + i * 0.135 + 0.115, h0, h1);
        if (pane !== undefined) item.detail([pane], glass);
      }
    }
    const line = rect(-0.5, 0.5, 0.75, 0.95);
    if (line !== undefined) item.detail([line], stripe);
  }
  for (const end of [-1, 1] as const) {
    for (const [h0, h1] of decks) {
      const a = end * (length / 2) * (end === 1 ? 0.995 : 1);
      const pane = frame.face(
        end === -1
          ? [
              [a, half * 0.85, h0],
              [a, -half * 0.85, h0],
              [a, -half * 0.85, h1],
              [a, half * 0.85, h1],
            ]
          : [
              [a, -half * 0.85, h0],
              [a, half * 0.85, h0],
              [a, half * 0.85, h1],
              [a, -half * 0.85, h1],
            ],
      );
      if (pane !== undefined) item.detail([pane], glass);
    }
    const a = end * (length / 2);
    const board = frame.face(
      end === -1
        ? [
            [a, half * 0.6, top - 0.42],
            [a, -half * 0.6, top - 0.42],
            [a, -half * 0.6, top - 0.15],
            [a, half * 0.6, top - 0.15],
          ]
        : [
            [a, -half * 0.6, top - 0.42],
            [a, half * 0.6, top - 0.42],
            [a, half * 0.6, top - 0.15],
            [a, -half * 0.6, top - 0.15],
          ],
    );
    if (board !== undefined)
      item
        .detail([board], lit(light, [28, 26, 20], [0, 0, -1], frame.z))
        .detail([shrink(board, 0.7)], glowing(light, [217, 154, 43], frame.z), 0.8);
  }
}

/** Doors, sills and reflections of a car. */
export function trim(item: Item, frame: Frame, { length, half, body }: Shape, paint: Colour): void {
  const { light } = frame.world;
  const shoulder = body[1]![1];
  for (const which of [-1, 1] as const) {
    const line = (h0: number, h1: number, a0 = -0.48, a1 = 0.46): Point[][] => {
      const outline = frame.side(which, half, [
        [a0 * length, h0],
        [a0 * length, h1],
        [a1 * length, h1],
        [a1 * length, h0],
      ]);
      return outline === undefined ? [] : [outline];
    };
    item.detail(line(0.3, 0.42), lit(light, [20, 20, 22], [0, 0, -1], frame.z), 0.7);
    item.detail(line(shoulder * 0.8, shoulder * 0.9), lit(light, scale(paint, 1.35), [0, 1, 0], frame.z), 0.6);
    if (shoulder > 1.5) item.detail(line(1.3, 1.85, 0.14, 0.32), lit(light, [48, 56, 66], [0, 0, -1], frame.z));
  }
  const a = -length / 2 - 0.01;
  const bumper = frame.face([
    [a, half, 0.3],
    [a, -half, 0.3],
    [a, -half, 0.48],
    [a, half, 0.48],
  ]);
  const plate = frame.face([
    [a, 0.26, 0.55],
    [a, -0.26, 0.55],
    [a, -0.26, 0.68],
    [a, 0.26, 0.68],
  ]);
  if (bumper !== undefined) item.detail([bumper], lit(light, [30, 30, 32], [0, 0, -1], frame.z), 0.8);
  if (plate !== undefined) item.detail([plate], lit(light, [235, 225, 150], [0, 0, -1], frame.z));
  const f = length / 2 + 0.01;
  const front = (wide: number, low: number, high: number): Point[] | undefined =>
    frame.face([
      [f, -wide, low],
      [f, wide, low],
      [f, wide, high],
      [f, -wide, high],
    ]);
  const [grille, frontPlate] = [front(half * 0.55, 0.55, 0.74), front(0.26, 0.4, 0.5)];
  if (grille !== undefined) item.detail([grille], lit(light, [28, 29, 32], [0, 0, -1], frame.z), 0.85);
  if (frontPlate !== undefined) item.detail([frontPlate], lit(light, [232, 232, 226], [0, 0, -1], frame.z));
  if (shoulder > 1.5) {
    const rear = frame.face([
      [a, half * 0.8, 1.3],
      [a, -half * 0.8, 1.3],
      [a, -half * 0.8, 1.9],
      [a, half * 0.8, 1.9],
    ]);
    if (rear !== undefined) item.detail([rear], lit(light, [50, 58, 68], [0, 0, -1], frame.z));
    const [top, sill, w] = [0.28 * length, 0.4 * length, half * 0.96];
    const screen = frame.face([
      [top, w, 1.9],
      [top, -w, 1.9],
      [sill, -w, 1.2],
      [sill, w, 1.2],
    ]);
    if (screen !== undefined) item.detail([shrink(screen, 0.85)], lit(light, [55, 66, 78], [0, 0.4, -1], frame.z));
  }
}

/** Ribs on a lorry's box. */
export function ribs(item: Item, frame: Frame, { length, half, body }: Shape, chance: SeededRandom): void {
  const { light } = frame.world;
  const top = body[1]![1];
  const logo = lit(light, chance.pick(paints), [0, 0, -1], frame.z);
  for (const which of [-1, 1] as const) {
    for (let i = 0; i < 5; i++) {
      const a = -0.48 * length + i * 0.17 * length;
      const rib = frame.side(which, half, [
        [a, body[0]![1]],
        [a, top],
        [a + 0.08, top],
        [a + 0.08, body[0]![1]],
      ]);
      if (rib !== undefined) item.detail([rib], 0x000000, 0.25);
    }
    const sign = frame.side(which, half, [
      [-0.35 * length, top * 0.5],
      [-0.35 * length, top * 0.8],
      [0.1 * length, top * 0.8],
      [0.1 * length, top * 0.5],
    ]);
    if (sign !== undefined) item.detail([sign], logo, 0.7);
  }
  const a = -length / 2 - 0.01;
  const door = frame.face([
    [a, 0.05, 0.9],
    [a, -0.05, 0.9],
    [a, -0.05, top],
    [a, 0.05, top],
  ]);
  if (door !== undefined) item.detail([door], 0x000000, 0.4);
}

export function lamps(item: Item, frame: Frame, { length, half, body }: Shape): void {
  const { light } = frame.world;
  const h = Math.min(1.1, body[1]![1] * 0.72);
  for (const which of [-1, 1]) {
    const [b0, b1] = [which * half * 0.95, which * half * 0.68] as const;
    const [low, high] = [Math.min(b0, b1), Math.max(b0, b1)];
    const [rear, front] = [-length / 2 - 0.01, length / 2 + 0.01];
    const red = frame.face([
      [rear, high, h - 0.1],
      [rear, low, h - 0.1],
      [rear, low, h + 0.12],
      [rear, high, h + 0.12],
    ]);
    const white = frame.face([
      [front, low, 0.58],
      [front, high, 0.58],
      [front, high, 0.78],
      [front, low, 0.78],
    ]);
    if (red !== undefined) item.detail([red], light.night ? 0xff3020 : lit(light, [190, 30, 28], [0, 0, -1], frame.z));
    if (white !== undefined)
      item.detail([white], light.night ? 0xfffbe0 : lit(light, [240, 240, 232], [0, 0, -1], frame.z));
  }
}
