import { expect, test } from "vitest";
import { namedFiles } from "./servedModel.js";

test("a model has the name of its file, or the one it was given", () => {
  const files = namedFiles(["runs/a/model.onnx", "night=runs/b/model.onnx", "runs/x=y/other.onnx", "plain"]);
  expect([...files]).toEqual([
    ["model", "runs/a/model.onnx"],
    ["night", "runs/b/model.onnx"],
    ["other", "runs/x=y/other.onnx"],
    ["plain", "plain"],
  ]);
});

test("two models of one name, and names that are no part of an address, are refused", () => {
  expect(() => namedFiles(["a/model.onnx", "b/model.onnx"])).toThrow(
    'two models have the name "model": a/model.onnx and b/model.onnx',
  );
  expect(() => namedFiles([])).toThrow("no model to serve");
  for (const name of ["..", ".", ".hidden", "a b", "a%2fb", "ä", "-x", "a\n", "<b>", "x".repeat(65)])
    expect(() => namedFiles([`${name}=m.onnx`])).toThrow("cannot be the name of a model");
});
