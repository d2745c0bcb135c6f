import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { exportedModel } from "../../../test/exportedModel.js";
import { withFolder } from "../../../test/folders.js";

/** Starts the process of a model, gives it an image, and dies by itself while the image is computed. */
const parent = (model: string): string => `
  import { fork } from "node:child_process";
  import { readFileSync } from "node:fs";
  const child = fork(new URL("${pathToFileURL("dist/server/process/modelProcess.js").href}"), {
    serialization: "advanced",
    execArgv: [],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const shape = [1, 2000, 4000, 3];
  const size = 2000 * 4000 * 3;
  const inputs = [{ name: "image", shape, datatype: "UINT8", parameters: { binary_data_size: size } }];
  const json = Buffer.from(JSON.stringify({ inputs, outputs: [{ name: "class", parameters: { binary_data: true } }] }));
  const job = { kind: "infer", body: Buffer.concat([json, Buffer.alloc(size)]), jsonBytes: json.length };
  child.on("message", ({ kind }) => {
    if (kind === "ready") child.send({ kind: "job", job }, () => setTimeout(() => process.kill(process.pid, "SIGKILL"), 150));
    else process.stderr.write("answered: " + kind);
  });
  const model = { name: "m", file: "m.onnx", bytes: readFileSync("${model}") };
  child.send({ kind: "load", model, settings: { threads: 1, mostPixels: 1e8 } });`;

test("a process whose parent has died ends without an error of its own", () =>
  withFolder(async (root) => {
    await writeFile(join(root, "m.onnx"), await exportedModel({ height: 512 }));
    const words = ["--input-type=module", "-e", parent(join(root, "m.onnx"))];
    const started = spawn(process.execPath, words, { stdio: ["ignore", "ignore", "pipe"] });
    let said = "";
    started.stderr.on("data", (text: Buffer) => {
      said += text.toString();
    });
    // Closed when the child has ended too.
    await once(started, "close");
    expect([started.signalCode, said]).toEqual(["SIGKILL", ""]);
  }));
