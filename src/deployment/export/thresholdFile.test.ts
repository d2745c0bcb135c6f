import { expect, test } from "vitest";
import { readThreshold } from "./thresholdFile.js";

test("γ of a training is no file of gssl threshold: it is what is exported without one", async () => {
  await expect(readThreshold("runs/day/gamma.json")).rejects.toMatchObject({
    message: "runs/day/gamma.json is γ of a training, wanted a file of gssl threshold",
    hint: expect.stringContaining("leave --gamma out"),
  });
});
