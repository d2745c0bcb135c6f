import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { eventsOf, fieldsOf, text } from "../../test/boardEvents.js";
import { withFolder } from "../../test/folders.js";
import { boardTag, crc32c, TensorBoard } from "./tensorBoard.js";

test("the checksum is Castagnoli's", () => {
  expect(crc32c(new TextEncoder().encode("123456789")).toString(16)).toBe("e3069283");
});

test("an event file begins as TensorFlow's own do, and its scalars and images can be read back", () =>
  withFolder(async (folder) => {
    const board = await TensorBoard.open(folder, 0, 1_700_000_000_000);
    await board.write(7, { "loss.consistency": 0.5 }, 1_700_000_001_000);
    await board.writeImages(7, { "target/a": { width: 3, height: 2, bytes: Uint8Array.of(1, 2) } });
    await board.close();
    const [name] = await readdir(folder);
    expect(name).toMatch(/^events\.out\.tfevents\.1700000000\./);
    // Length 24, its masked checksum and the tag of wall_time, as in every file that TensorFlow writes.
    expect((await readFile(join(folder, name!))).subarray(0, 13).toString("hex")).toBe("1800000000000000a37f4b2209");
    const [version, start, scalars, images] = await eventsOf(folder);
    expect([version![1], text(version![3])]).toEqual([1_700_000_000, "brain.Event:2"]);
    expect([start![2], fieldsOf(start![7] as Uint8Array)]).toEqual([1, { 1: 1 }]);
    const scalar = fieldsOf(fieldsOf(scalars![5] as Uint8Array)[1] as Uint8Array);
    expect([scalars![1], scalars![2], text(scalar[1]), scalar[2]]).toEqual([1_700_000_001, 7, "loss/consistency", 0.5]);
    const value = fieldsOf(fieldsOf(images![5] as Uint8Array)[1] as Uint8Array);
    expect(text(value[1])).toBe("target/a");
    expect(fieldsOf(value[4] as Uint8Array)).toEqual({ 1: 2, 2: 3, 3: 3, 4: Buffer.of(1, 2) });
  }));

test("a restart writes into the same run, and says from which step on earlier events are void", () =>
  withFolder(async (folder) => {
    for (const [done, now] of [
      [0, 1_700_000_000_000],
      [4, 1_700_000_050_000],
    ] as const) {
      const board = await TensorBoard.open(folder, done, now);
      for (let step = done + 1; step <= done + 6; step++) await board.write(step, { loss: 1 });
      await board.close();
    }
    const entries = await readdir(folder, { withFileTypes: true });
    expect(entries.map((entry) => entry.isFile())).toEqual([true, true]);
    const events = await eventsOf(folder);
    expect(events.filter((event) => 7 in event).map((event) => event[2])).toEqual([1, 5]);
    expect(events.filter((event) => 5 in event).map((event) => event[2])).toEqual([
      1, 2, 3, 4, 5, 6, 5, 6, 7, 8, 9, 10,
    ]);
  }));

test("tags are grouped by what they belong to", () => {
  expect(
    ["loss", "loss.prototypeSupervision", "gamma", "certain", "gradientNorm", "validation.head.auroc"].map(boardTag),
  ).toEqual([
    "loss/total",
    "loss/prototypeSupervision",
    "gamma/gamma",
    "gamma/certain",
    "optimiser/gradient norm",
    "validation/head/auroc",
  ]);
});
