import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { withFolder } from "../../test/folders.js";
import { writeAtomically } from "./atomicFile.js";

// As on Windows: folders cannot be brought to the disk.
vi.mock("node:fs/promises", async (original) => {
  const real = await original<typeof import("node:fs/promises")>();
  const refusal = Object.assign(new Error("EPERM: operation not permitted, fsync"), { code: "EPERM" });
  return {
    ...real,
    open: async (...given: Parameters<typeof real.open>) => {
      const handle = await real.open(...given);
      if ((await handle.stat()).isDirectory()) handle.sync = () => Promise.reject(refusal);
      return handle;
    },
  };
});

test("a durable file is written where folders cannot be synced", () =>
  withFolder(async (folder) => {
    await writeAtomically(join(folder, "a.txt"), "whole", { durable: true });
    expect(await readFile(join(folder, "a.txt"), "utf8")).toBe("whole");
  }));
