import { expect, test } from "vitest";
import { commandLine } from "./commandLine.js";
import { afterInspect, afterPredicting, afterTraining } from "./next.js";

test("what comes next has the paths and specs that were typed, quoted for a shell", () => {
  const sets = [
    { spec: "folder:frames", labelled: false },
    { spec: "folder:labelled?images=img&labels=gt", labelled: true },
  ];
  expect(commandLine(afterInspect(sets)!)).toBe(
    "gssl train --source 'folder:labelled?images=img&labels=gt' --target folder:frames --to runs/mine",
  );
  expect(afterInspect(sets.slice(0, 1))).toBeUndefined();
  const both = ["folder:a", "folder:b"].map((spec) => ({ spec, labelled: true }));
  expect(commandLine(afterInspect(both)!)).toBe("gssl train --source folder:a --target folder:b --to runs/mine");
  expect(commandLine(afterInspect(both.slice(1))!)).toBe("gssl train --source folder:b --to runs/mine");
  expect(commandLine(afterTraining("runs/a b", "camvid:data?split=val", "gamma-ssl"))).toBe(
    "gssl evaluate 'runs/a b' --on 'camvid:data?split=val'",
  );
  expect(afterTraining("runs/a", undefined, "gamma-ssl")).toEqual(["export", "runs/a"]);
  expect(afterPredicting("seen").slice(-1)).toEqual(["seen/classes.json"]);
});
