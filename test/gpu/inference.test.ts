import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DeployedModel } from "../../src/deployment/model/deployedModel.js";
import type { Predictions } from "../../src/deployment/predict/predictions.js";
import { deviceTest } from "../../src/engine/runtime/deviceTest.js";
import { nodeRuntime } from "../../src/engine/runtime/node.js";
import { testImage, writeFiles } from "../folders.js";
import { writeTinyRun } from "../tinyRun.js";
import { onSoftwareGpu, RemoteRuntime, softwareGpu } from "./softwareGpu.js";

const SOURCE = "scenes:city?split=train&count=2&height=64&width=96";
/** Height and width: of training, larger, and of no multiple of anything. */
const SIZES = [
  [64, 96],
  [96, 128],
  [61, 75],
] as const;

async function gssl(
  words: readonly string[],
  env = softwareGpu(),
): Promise<{ code: number; stdout: string; stderr: string }> {
  const ended = promisify(execFile)(process.execPath, ["dist/cli/main.js", ...words], { env });
  return ended.then(
    (output) => ({ code: 0, ...output }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
}

describe.skipIf(onSoftwareGpu.missing)(onSoftwareGpu.title, () => {
  let [root, model] = ["", ""];
  let gpu: RemoteRuntime;
  beforeAll(async () => {
    gpu = new RemoteRuntime();
    root = await mkdtemp(join(tmpdir(), "gpu-"));
    const run = join(root, "run");
    await writeTinyRun(run, { source: SOURCE, targets: [SOURCE], classes: 19, trace: [{ gamma: 0.9, certain: 0.5 }] });
    model = join(run, "model.onnx");
    const exported = await gssl(["export", run, "--cache", join(root, "cache")], process.env);
    expect([exported.code, exported.stderr]).toEqual([0, expect.any(String)]);
  });
  afterAll(async () => {
    await gpu.end();
    await rm(root, { recursive: true, force: true });
  });

  test("the self-test of devices passes", async () => {
    expect(await deviceTest(gpu, nodeRuntime())).toEqual([]);
  });

  test("a deployed model gives the similarities of the CPU to 1e-3, and its classes but for ties, at three sizes", async () => {
    const [here, there] = [await DeployedModel.read(nodeRuntime(), model), await DeployedModel.read(gpu, model)];
    for (const [height, width] of SIZES) {
      const rgb = new Uint8Array(await testImage(width, height, 5).removeAlpha().raw().toBuffer());
      const [wanted, found] = [await here.predict({ height, width, rgb }), await there.predict({ height, width, rgb })];
      const worst = found.similarity.reduce((most, s, i) => Math.max(most, Math.abs(s - wanted.similarity[i]!)), 0);
      expect(worst, `${height}x${width}`).toBeLessThan(1e-3);
      const others = found.predicted.filter((k, i) => k !== wanted.predicted[i]).length;
      expect(others / found.predicted.length, `${height}x${width}`).toBeLessThan(0.01);
    }
    await Promise.all([here.close(), there.close()]);
  });

  test("gssl predict --device webgpu writes what the CPU does, and says what to do where there is no GPU", async () => {
    const images = join(root, "images");
    await writeFiles(images, { "a.png": await testImage(96, 64, 2).png().toBuffer() });
    const shares: number[] = [];
    for (const device of ["cpu", "webgpu"]) {
      const words = ["predict", model, images, "--to", join(root, device), "--device", device, "--json"];
      const { code, stdout, stderr } = await gssl(words);
      expect([code, stderr]).toEqual([0, expect.any(String)]);
      shares.push((JSON.parse(stdout) as Predictions).images[0]!.certain);
    }
    expect(shares[1]).toBeCloseTo(shares[0]!, 2);
    const blind = { ...process.env, VK_ICD_FILENAMES: join(root, "none.json"), LD_LIBRARY_PATH: root };
    const refused = await gssl(["predict", model, images, "--to", join(root, "none"), "--device", "webgpu"], blind);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("--device webgpu: cannot be used");
    expect(refused.stderr).toContain("mesa-vulkan-drivers");
  });
});
