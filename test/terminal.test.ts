import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { tinyTraining } from "./trainProcess.js";

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "terminal-"));
});
afterAll(() => rm(root, { recursive: true, force: true }));

/** What a command says on standard error when the reader of its output has gone, and its exit code. */
async function withoutReader(...words: readonly string[]): Promise<string> {
  const command = [process.execPath, "dist/cli/main.js", ...words].map((word) => `'${word}'`).join(" ");
  const { stderr } = await promisify(execFile)("bash", ["-c", `${command} | true; echo "exit \${PIPESTATUS[0]}" >&2`]);
  return stderr;
}

test("G8: a command whose reader has gone ends without a message, whichever it is", async () => {
  const cache = ["--cache", join(root, "cache")];
  const scenes = "scenes:city?split=train&count=2&height=32&width=64";
  expect(await withoutReader("--help")).toBe("exit 141\n");
  expect(await withoutReader("inspect", scenes, "--sheet", "0", ...cache)).toBe("exit 141\n");
  expect(await withoutReader("train", ...tinyTraining, "--print-config", "--to", root)).toBe("exit 141\n");
  const training = ["train", "--json", ...tinyTraining, "--steps", "3", "--to", join(root, "run"), ...cache];
  expect(await withoutReader(...training)).toMatch(/exit 141\n$/);
  expect(await withoutReader(...training)).not.toMatch(/EPIPE|\n {4}at /);
});

test("gssl doctor keeps what drivers write to itself", async () => {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ["dist/cli/main.js", "doctor"]);
  expect(stderr).toBe("");
  expect(stdout).not.toMatch(/\.(cc|cpp|h):\d+|--device \w+: --device/);
});
