import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BinaryReader } from "@bufbuild/protobuf/wire";
import { expect, test } from "vitest";
import { crc32c, TensorBoard } from "./tensorBoard.js";

test("the checksum is Castagnoli's", () => {
  expect(crc32c(new TextEncoder().encode("123456789")).toString(16)).toBe("e3069283");
});

test("an event file begins as TensorFlow's own do, and its scalars can be read back", async () => {
  const folder = await mkdtemp(join(tmpdir(), "tensorboard-"));
  const board = await TensorBoard.open(folder, 0, 1_700_000_000_000);
  await board.write(7, { loss: 0.5, γ: -2 }, 1_700_000_001_000);
  await board.close();
  const [start] = await readdir(folder);
  const [name] = await readdir(join(folder, start!));
  expect(name).toMatch(/^events\.out\.tfevents\.1700000000\./);
  const bytes = await readFile(join(folder, start!, name!));
  // Length 24, its masked checksum and the tag of wall_time, as in every file that TensorFlow writes.
  expect(bytes.subarray(0, 13).toString("hex")).toBe("1800000000000000a37f4b2209");
  const second = bytes.subarray(8 + 4 + 24 + 4);
  const length = Number(second.readBigUInt64LE(0));
  expect(second.length).toBe(8 + 4 + length + 4);
  const event = new BinaryReader(second.subarray(12, 12 + length));
  expect([event.tag()[0], event.double(), event.tag()[0], event.int64()]).toEqual([1, 1_700_000_001, 2, 7n]);
  expect(event.tag()[0]).toBe(5);
  const summary = new BinaryReader(event.bytes());
  const scalars: unknown[] = [];
  while (summary.pos < summary.len) {
    summary.tag();
    const value = new BinaryReader(summary.bytes());
    value.tag();
    const tag = value.string();
    value.tag();
    scalars.push([tag, value.float()]);
  }
  expect(scalars).toEqual([
    ["loss", 0.5],
    ["γ", -2],
  ]);
  await rm(folder, { recursive: true });
});
