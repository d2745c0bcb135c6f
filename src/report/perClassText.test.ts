import { expect, test } from "vitest";
import { perClassText } from "./perClassText.js";
import { resultWith } from "./testing/resultWith.js";

const entry = (method: string, ious: Readonly<Record<string, number | null>> | null) => ({
  run: "",
  result: resultWith(method, {
    segmentation:
      ious === null
        ? null
        : {
            accuracy: 0.9,
            meanIou: 0.5,
            perClass: Object.entries(ious).map(([name, iou]) => ({ name, iou, accuracy: iou, pixels: 12_345 })),
          },
  }),
});

test("each segmentation has a column, by the last of its methods; classes that never occur have no row", () => {
  const source = { road: 0.9, horse: null, sky: 0.25 };
  const text = perClassText([
    entry("vim", source),
    entry("gamma-ssl", { road: 0.95, horse: null, sky: null }),
    entry("max-softmax", source),
    entry("scored", null),
  ]);
  expect(text.split("\n")).toEqual([
    "town: IoU of each class",
    "class  labelled pixels  vim    gamma-ssl",
    "road   12,345           0.900  0.950",
    "sky    12,345           0.250  –",
    "max-softmax: the same segmentation as vim",
    "",
  ]);
});
