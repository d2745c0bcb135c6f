import { expect, test } from "vitest";
import { typed } from "./terminal/testing/typed.js";

const refusal = async (...words: string[]): Promise<string> => {
  const error = await typed(...words).then(
    () => null,
    (reason: unknown) => reason as { message: string; hint: string; code: string },
  );
  expect(error?.code).toBe("bad-option");
  return `${error!.message} | ${error!.hint}`;
};

test("names of other tools lead to commands, flags and values of this one", async () => {
  expect(await refusal("eval", "runs/a")).toBe(
    'there is no command "eval" | did you mean "gssl evaluate"? gssl --help lists the commands',
  );
  expect(await refusal("infer")).toContain('did you mean "gssl predict"?');
  expect(await refusal("study", "treshold")).toContain('did you mean "gssl study threshold"?');
  expect(await refusal("train", "--lr=0.1")).toBe(
    "train has no flag --lr | did you mean --learning-rate? gssl train --help lists its flags",
  );
  for (const [said, meant] of [
    ["--epochs", "--steps"],
    ["--batch-size", "--batch"],
    ["--output", "--to"],
    ["--force", "--overwrite"],
    ["--validat", "--validate"],
  ])
    expect(await refusal("train", said!), said).toContain(`did you mean ${meant}?`);
  expect(await refusal("train", "--source", "scenes:city", "--device", "gpu")).toContain('did you mean "webgpu"?');
});

test("what is missing or too much is named, in one style", async () => {
  expect(await refusal("export")).toMatch(
    /^export: <run> is missing: run folder .* \| gssl export --help shows what it takes$/,
  );
  expect(await refusal("predict", "model.onnx", "a.jpg")).toMatch(/^predict: --to <folder> is missing: where to write/);
  expect(await refusal("train", "--steps")).toMatch(/^train: the value of --steps <n> is missing/);
  expect(await refusal("train", "data")).toMatch(/^train takes no words without a flag, got: data/);
});
