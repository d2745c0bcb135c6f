import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TrainProcess, tinyTraining } from "../trainProcess.js";
import { onSoftwareGpu, softwareGpu } from "./softwareGpu.js";

// Every process compiles its shaders anew, which takes most of its time: there are as few as can be.
describe.skipIf(onSoftwareGpu.missing)(`gssl train ${onSoftwareGpu.title}`, () => {
  let root: string;
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), "gpu-commands-"));
  });
  afterAll(() => rm(root, { recursive: true, force: true }));

  const train = (name: string, device: string, env: NodeJS.ProcessEnv = {}, more: readonly string[] = []) =>
    new TrainProcess(
      [
        ...[...tinyTraining, "--cache", join(root, "cache"), "--to", join(root, name), "--device", device],
        ...["--steps", "6", "--checkpoint-every", "2", ...more],
      ],
      { ...softwareGpu(), ...env },
    );
  const measured = ({ events }: TrainProcess, step: number) =>
    events.flatMap((event) => (event.kind === "step" && event.step === step ? [event.measures] : []));
  const begins = ({ events }: TrainProcess) =>
    events.flatMap((event) => (event.kind === "started" ? [event.done] : []));

  test("killed, continued, left by its driver in the middle, and finished on the CPU", async () => {
    const killed = train("broken", "webgpu");
    await killed.until("step", 3);
    killed.signal("SIGKILL", "group");
    await killed.ended;
    expect(killed.acknowledged).toBe(2);

    // The driver of this one fails at its third step. Its first one was computed before, with the same result to the last bit.
    const failing = train("broken", "webgpu", { NODE_OPTIONS: `--import=${resolve("test/gpu/failingDriver.mjs")}` });
    const { code, stderr } = await failing.ended;
    expect([begins(failing), failing.acknowledged, code]).toEqual([[2], 4, 1]);
    expect(Object.keys(measured(killed, 3)[0]!)).toContain("gradientNorm");
    expect(measured(failing, 3)).toEqual(measured(killed, 3));
    expect(stderr).toContain("the runtime failed: WebGPU device lost (2): the driver was reset");
    expect(stderr).toContain("the checkpoint of step 4 is good: the same command continues from there");
    expect(stderr).toContain("with --device cpu it continues from there on the CPU");

    const rescued = train("broken", "cpu");
    expect(await rescued.ended).toMatchObject({ code: 0 });
    expect(begins(rescued)).toEqual([4]);
    expect(measured(rescued, 6)).toEqual([expect.objectContaining({ loss: expect.any(Number) })]);
  });

  test("a step that is not finite stops it, and leaves a bundle that names the node", async () => {
    const diverging = train("diverging", "webgpu", {}, ["--learning-rate", "1e30"]);
    const { code, stderr } = await diverging.ended;
    expect([code, stderr]).toEqual([1, expect.stringMatching(/(node|input) ".*" .* -?(NaN|Infinity)/)]);
    const [, bundle] = /what it was given lies in (\S+)/.exec(stderr)!;
    expect((await readdir(bundle!)).sort()).toEqual(["bundle.json", "cause.txt", "feeds.safetensors"]);
    expect(diverging.acknowledged).toBeLessThan(Number(bundle!.split("-").at(-1)));
  });

  test("a device that is not there is refused before anything is written", async () => {
    const blind = { VK_ICD_FILENAMES: join(root, "none.json"), LD_LIBRARY_PATH: root };
    const { code, stderr } = await train("never", "webgpu", blind).ended;
    expect([code, stderr]).toEqual([1, expect.stringContaining("--device webgpu: cannot be used")]);
    expect(stderr).toContain("mesa-vulkan-drivers");
    expect(stderr).toContain("--device cpu");
    expect(await readdir(root)).not.toContain("never");
  });
});
