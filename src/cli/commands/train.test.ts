import { expect, test } from "vitest";
import { typed } from "../terminal/testing/typed.js";

const source = ["--source", "scenes:city"];
const misused = (message: string, hint: string) =>
  expect.objectContaining({ message, hint: expect.stringContaining(hint), code: "bad-option" });

test("A3: flags of the other method are refused by name", async () => {
  const town = ["--target", "scenes:town"];
  await expect(typed("train", ...source, "--profile", "paper")).rejects.toEqual(
    misused("--profile is of --method gamma-ssl; this training is supervised", "name unlabelled images with --target"),
  );
  await expect(typed("train", ...source, ...town, "--clip-norm", "1")).rejects.toEqual(
    misused("--clip-norm is of --method supervised; this training is gamma-ssl", "leave out --target"),
  );
  await expect(typed("train", ...source, ...town, "--method", "supervised")).rejects.toEqual(
    misused("--target is of --method gamma-ssl; this training is supervised", "choose --method gamma-ssl"),
  );
});

test("A3: a target alone makes it γ-SSL, with the flags where the method wants them", async () => {
  const { out } = await typed(
    "train",
    ...source,
    "--target",
    "scenes:town",
    "--steps",
    "7",
    "--batch",
    "4",
    "--print-config",
  );
  expect(JSON.parse(out)).toMatchObject({
    method: "gamma-ssl",
    targets: ["scenes:town"],
    options: { training: { adaptation: 7 }, batch: { source: 4, prototype: 4, target: 4 } },
  });
  const { out: supervised } = await typed("train", ...source, "--steps", "7", "--print-config");
  expect(JSON.parse(supervised)).toMatchObject({ method: "supervised", steps: 7 });
});

test("G4: a training without data says what is missing; misspelt names are suggested, numbers checked", async () => {
  await expect(typed("train")).rejects.toEqual(
    misused("there is nothing to learn from: name labelled images with --source", "gssl demo"),
  );
  await expect(typed("train", "--method", "gama-ssl")).rejects.toEqual(
    misused('--method is "gama-ssl"', 'did you mean "gamma-ssl"?'),
  );
  await expect(typed("train", ...source, "--steps", "many")).rejects.toThrow(
    '--steps is "many", wanted a whole number',
  );
  for (const given of ["2", "0s", "h", "2x", "30d", "1m2h"])
    await expect(typed("train", ...source, "--time", given)).rejects.toThrow("a time up to 20d, such as 45m");
  await expect(typed("train", ...source, "--crop", "200x200")).rejects.toThrow(
    "view.crop.0 is 200, wanted a multiple of 16, e.g. 192 or 208",
  );
  await expect(typed("train", ...source, "--crop", "128")).rejects.toThrow('--crop is "128", wanted height x width');
});
