import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { exportedModel } from "../../../test/exportedModel.js";
import { withFolder } from "../../../test/folders.js";
import { namedFiles } from "../../server/pool/servedModel.js";
import { Segmenter } from "../segmenter.js";
import { modelFile } from "./modelFile.js";

test("a run folder stands for its model: in Segmenter, and by its own name in serve", () =>
  withFolder(async (root) => {
    const run = join(root, "day");
    await mkdir(run);
    await writeFile(join(run, "model.onnx"), await exportedModel());
    expect(modelFile(run)).toBe(join(run, "model.onnx"));
    expect(modelFile(join(run, "model.onnx"))).toBe(join(run, "model.onnx"));
    expect([...namedFiles([run, `night=${run}`])]).toEqual([
      ["day", join(run, "model.onnx")],
      ["night", join(run, "model.onnx")],
    ]);
    const segmenter = await Segmenter.open(run, { threads: 1 });
    expect(segmenter.description.classes).toHaveLength(5);
    await segmenter.close();
  }));

test("a folder without a model says what to do: export the run, name one of its files, or another folder", () =>
  withFolder(async (root) => {
    const refusal = (): unknown => {
      try {
        return modelFile(root);
      } catch (error) {
        return error;
      }
    };
    expect(refusal()).toMatchObject({ message: `${root} is neither a model nor a run folder` });
    await writeFile(join(root, "config.json"), "{}");
    expect(refusal()).toMatchObject({
      message: `${root} has no model.onnx yet`,
      hint: `write it first: gssl export ${root}`,
    });
    await writeFile(join(root, "model.vim.onnx"), "");
    expect(refusal()).toMatchObject({ hint: `name one of its files: ${join(root, "model.vim.onnx")}` });
  }));
