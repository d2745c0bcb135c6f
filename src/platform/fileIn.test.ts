import { join } from "node:path";
import { expect, test } from "vitest";
import { fileIn } from "./fileIn.js";

test("a file is asked for by its path, or by the folder it goes into", () => {
  expect(fileIn("out/day.onnx", "model.onnx")).toBe("out/day.onnx");
  for (const folder of ["out", "out/", "runs/v1.2", ".", "../x"])
    expect(fileIn(folder, "model.onnx")).toBe(join(folder, "model.onnx"));
  expect(() => fileIn("model.bin", "model.onnx")).toThrow('"model.bin": wanted a folder, or a file that ends in .onnx');
});
