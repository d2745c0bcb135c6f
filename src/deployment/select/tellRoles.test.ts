import { join } from "node:path";
import { expect, test } from "vitest";
import { testImage, withFolder, writeFiles } from "../../../test/folders.js";
import { writeTinyRun } from "../../../test/tinyRun.js";
import { tellRoles } from "./tellRoles.js";

const SOURCE = "scenes:city?split=train&count=2&height=64&width=64";

test("images to label are compared with those that the run was trained on; a model without a run tells nothing", () =>
  withFolder(async (root) => {
    for (const name of ["seen", "fresh"]) {
      const image = await testImage(64, 64, name.length).png().toBuffer();
      await writeFiles(join(root, name), { "a.png": image });
    }
    await writeTinyRun(join(root, "run"), { source: SOURCE, targets: [`folder:${root}/seen`], classes: 19 });
    const told = async (run: string, on: string): Promise<string[]> => {
      const notes: string[] = [];
      await tellRoles(join(root, run), { on, cache: join(root, "cache"), onNote: (note) => notes.push(note) });
      return notes;
    };
    expect(await told("run", `folder:${root}/fresh`)).toEqual([]);
    expect(await told("run", `folder:${root}/seen`)).toEqual([
      expect.stringMatching(/^warning: the run was trained on 1 of these 1 images \(unlabelled/),
    ]);
    expect(await told("run", SOURCE)).toEqual([expect.stringMatching(/trained on 2 of these 2 images \(labelled/)]);
    expect(await told("elsewhere", SOURCE)).toEqual([]);
  }));
