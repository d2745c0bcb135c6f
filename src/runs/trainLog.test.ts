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
