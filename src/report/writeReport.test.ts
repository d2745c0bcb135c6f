import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { withFolder } from "../../test/folders.js";
import { PixelCounter } from "../evaluation/pixelCounter.js";
import { writeResult } from "../evaluation/results/writeResult.js";
import { writeReport } from "./writeReport.js";

test("two data sets whose names make the same file name do not overwrite each other's plots", () =>
  withFolder(async (folder) => {
    for (const [run, dataset] of [
      ["one", "town/day"],
      ["two", "town?day"],
    ] as const) {
      const counter = new PixelCounter({ classes: 2, policy: "paper" });
      const labels = Uint8Array.of(0, 0, 1, 1);
      counter.add({ id: "a", labels, predicted: new Uint8Array(4), uncertainty: Float32Array.of(0.1, 0.2, 0.3, 0.4) });
      const classes = ["road", "sky"].map((name) => ({ name, colour: [0, 0, 0] as const }));
      const about = {
        dataset,
        method: "m",
        classes,
        policy: "paper",
        command: "",
        seeds: {},
        environment: {},
      } as const;
      await writeResult(join(folder, run), { ...counter.finish(), ...about });
    }
    const runs = ["one", "two"].map((run) => join(folder, run));
    const { files } = await writeReport(runs, join(folder, "report.html"));
    expect(new Set(files).size).toBe(files.length);
    for (const name of ["town-day", "town-day-2"])
      expect(existsSync(join(folder, "report", name, "roc.svg"))).toBe(true);
  }));
