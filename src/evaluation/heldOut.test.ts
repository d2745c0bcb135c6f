import { expect, test } from "vitest";
import { heldOutSpec } from "./heldOut.js";

test("B-12: the spec of a training's source tells which images of it are held out, or nothing does", () => {
  expect(heldOutSpec("cityscapes:data?split=train")).toBe("cityscapes:data?split=val");
  expect(heldOutSpec("camvid:data?sequence=day&except=8&limit=20")).toBe("camvid:data?sequence=day&every=8");
  expect(heldOutSpec("scenes:city?split=train&count=5000&seed=3")).toBe("scenes:city?split=val&count=100&seed=3");
  expect(heldOutSpec("scenes:city?split=train&count=8")).toBe("scenes:city?split=val&count=8");
  expect(heldOutSpec("camvid:data?sequence=day")).toBeNull();
  expect(heldOutSpec("cityscapes:data?split=val")).toBeNull();
});
