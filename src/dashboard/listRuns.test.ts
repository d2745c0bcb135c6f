import { join } from "node:path";
import { expect, test } from "vitest";
import { withFolder, writeFiles } from "../../test/folders.js";
import { resolveConfig } from "../runs/config.js";
import { listRuns } from "./listRuns.js";

test("runs are listed with state, steps and data; other folders, and half a line of a log, are passed over", () =>
  withFolder(async (root) => {
    const config = (settings: object): string => JSON.stringify(resolveConfig({ source: "labelled", ...settings }));
    await writeFiles(root, {
      "a/config.json": config({ targets: ["frames"] }),
      "a/log.jsonl": '{"step":1,"loss":2}\n{"step":2,"loss":1}\n{"step":3,"lo',
      "a/checkpoints/step-00000002.json": "{}",
      "b/config.json": config({ steps: 7 }),
      "c/config.json": "{",
      "notes/log.txt": "nothing",
    });
    expect(await listRuns(root)).toEqual([
      {
        folder: join(root, "a"),
        ...{ state: "stopped", step: 2, steps: expect.any(Number), method: "γ-SSL, profile small" },
        ...{ source: "labelled", targets: ["frames"] },
      },
      expect.objectContaining({ folder: join(root, "b"), step: null, steps: 7, method: "supervised" }),
      expect.objectContaining({ folder: join(root, "c"), method: "" }),
    ]);
    await expect(listRuns(join(root, "none"))).rejects.toThrow(`${join(root, "none")}: is not there`);
  }));
