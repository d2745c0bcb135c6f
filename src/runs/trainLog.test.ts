import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { TrainLog } from "./trainLog.js";

test("a resumed log holds each step once: steps beyond the checkpoint and half a line are dropped", async () => {
  const folder = await mkdtemp(join(tmpdir(), "log-"));
  const path = join(folder, "log.jsonl");
  await writeFile(path, '{"step":1,"loss":3}\n{"step":2,"loss":2}\n{"step":3,"loss":1}\n{"step":4,"lo');
  const log = await TrainLog.open(path, 2);
  await log.write({ step: 3, loss: 1.5 });
  await log.sync();
  await log.close();
  expect(await readFile(path, "utf8")).toBe('{"step":1,"loss":3}\n{"step":2,"loss":2}\n{"step":3,"loss":1.5}\n');
  await rm(folder, { recursive: true });
});

test("a damaged line before a step that was done is said, not dropped; beyond it anything may stand", async () => {
  const folder = await mkdtemp(join(tmpdir(), "log-"));
  const path = join(folder, "log.jsonl");
  const lines = [1, 2, 2, 3, 4].map((step) => `{"step":${step},"loss":3}\n`);
  for (const [damaged, line] of [
    [lines.with(1, '{"step":2,"lo\n'), 2],
    [lines.with(1, '{"step":7,"loss":3}\n'), 2],
    [lines.with(3, '{"step":1,"loss":3}\n'), 4],
    [lines.with(0, "[]\n"), 1],
  ] as const) {
    await writeFile(path, damaged.join(""));
    await expect(TrainLog.open(path, 4)).rejects.toThrow(`${path}, line ${line}: is damaged`);
    expect(await readFile(path, "utf8")).toBe(damaged.join(""));
  }
  await writeFile(path, lines.with(4, "\0\0\0\n").join(""));
  await (await TrainLog.open(path, 3)).close();
  expect(await readFile(path, "utf8")).toBe(lines.slice(0, 4).join(""));
  await rm(folder, { recursive: true });
});
