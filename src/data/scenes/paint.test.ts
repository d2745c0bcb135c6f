import { expect, test } from "vitest";
import { UNKNOWN_LABEL } from "./classes.js";
import { labelPaint, readLabelPaint } from "./paint.js";

const channels = (id: number): number[] => labelPaint(id).match(/\d+/g)!.map(Number);
const ids = Array.from({ length: UNKNOWN_LABEL + 1 }, (_, id) => id);

test("every class is read back from its own colour", () => {
  expect([...readLabelPaint(Uint8Array.from(ids.flatMap(channels)))]).toEqual(ids);
});

test("no blend of two classes, in any of sixteen shares, passes for a third", () => {
  for (const a of ids) {
    for (const b of ids.slice(a + 1)) {
      for (let share = 1; share < 16; share++) {
        const blend = channels(a).map((x, c) => Math.round(x + ((channels(b)[c]! - x) * share) / 16));
        expect(() => readLabelPaint(Uint8Array.from(blend))).toThrow("which is no class");
      }
    }
  }
});
