import { execFileSync } from "node:child_process";
import { mkdtemp, readdir, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { removeDrafts, writeAtomically } from "./atomicFile.js";
import { fileIn, makeFolder, readIfThere, readRegularFile } from "./files.js";
import { readJson, readJsonIfSound, readJsonIfThere } from "./json.js";

let folder: string;
const at = (name: string): string => join(folder, name);
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "files-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test("F6: pipes, devices, folders and files beyond the limit are refused before anything is read", async () => {
  execFileSync("mkfifo", [at("pipe.jpg")]);
  await symlink("/dev/zero", at("endless.jpg"));
  await symlink(at("round.jpg"), at("round.jpg"));
  await writeFile(at("large.jpg"), "");
  await truncate(at("large.jpg"), 1001);
  const refused = {
    "pipe.jpg": "is a pipe or a device",
    "endless.jpg": "is a pipe or a device",
    "round.jpg": "is a circular symlink",
    "large.jpg": "is larger than any file of its kind",
    "absent.jpg": "is not there",
    ".": "is a folder, wanted a file",
    "large.jpg/x": "is inside a file",
  };
  for (const [name, why] of Object.entries(refused)) {
    await expect(readRegularFile(at(name), 1000), name).rejects.toThrow(`${at(name)}: ${why}`);
  }
  expect((await readRegularFile(at("large.jpg"), 1001)).length).toBe(1001);
});

test("only a file that is not there is null; one that cannot be used is an error", async () => {
  execFileSync("mkfifo", [at("pipe")]);
  expect(await readIfThere(at("absent"))).toBeNull();
  await expect(readIfThere(at("pipe"))).rejects.toThrow("is a pipe");
});

test("a folder is made with those around it; a file in the way, and a place where nothing can be made, are refused", async () => {
  await makeFolder(at("a/b/c"));
  await makeFolder(at("a/b/c"));
  expect(await readdir(at("a/b"))).toEqual(["c"]);
  await writeFile(at("file"), "");
  await expect(makeFolder(at("file"))).rejects.toThrow(`${at("file")}: is a file, wanted a folder`);
  await expect(makeFolder(at("file/below"))).rejects.toThrow("is inside a file");
  await expect(makeFolder("/proc/no/such/folder")).rejects.toThrow("/proc/no: is not there");
});

test("JSON is refused with the file, the place in it and what to do", async () => {
  const form = {
    schema: z.strictObject({ steps: z.int(), view: z.strictObject({ flip: z.number() }) }),
    hint: "write it anew",
  };
  const wrong = {
    "": "is not JSON: it is empty",
    '{"steps": 3,\n "view" 7}': ", line 2, column 9",
    '{"steps": 3': "is not JSON: ",
    nonsense: "is not JSON: Unexpected token",
    '{"steps": 0.5, "view": {"flip": "x"}}': 'steps is 0.5, wanted a whole number; view.flip is "x", wanted a number',
    "[]": "it is [], wanted an object",
  };
  for (const [text, why] of Object.entries(wrong)) {
    await writeFile(at("c.json"), text);
    const error = await readJson(at("c.json"), form).catch((thrown: Error) => thrown);
    expect(error).toMatchObject({ name: "UserError", hint: "write it anew" });
    expect((error as Error).message).toContain(why);
    expect((error as Error).message).toMatch(`${at("c.json")}: `);
    expect(await readJsonIfSound(at("c.json"), form)).toBeNull();
  }
  expect(await readJsonIfThere(at("absent.json"), form)).toBeNull();
  await writeFile(at("c.json"), '{"steps":3,"view":{"flip":0.5}}');
  expect(await readJson(at("c.json"), form)).toEqual({ steps: 3, view: { flip: 0.5 } });
});

test("F12: drafts that a killed process left are removed; other files, and drafts younger than asked, stay", async () => {
  await writeAtomically(at("kept.json"), "{}");
  const draft = at("kept.json.0c7b5c1e-1111-4222-8333-444455556666.tmp");
  await writeFile(draft, "half");
  await writeFile(at("mine.tmp"), "a file of somebody");
  await removeDrafts(folder, 60_000);
  expect(await readdir(folder)).toHaveLength(3);
  await removeDrafts(folder);
  expect((await readdir(folder)).sort()).toEqual(["kept.json", "mine.tmp"]);
  await removeDrafts(at("absent"));
});

test("a file is asked for by its path, or by the folder it goes into", () => {
  expect(fileIn("out/day.onnx", "model.onnx")).toBe("out/day.onnx");
  for (const folder of ["out", "out/", "runs/v1.2", ".", "../x"])
    expect(fileIn(folder, "model.onnx")).toBe(join(folder, "model.onnx"));
  expect(() => fileIn("model.bin", "model.onnx")).toThrow('"model.bin": wanted a folder, or a file that ends in .onnx');
});
