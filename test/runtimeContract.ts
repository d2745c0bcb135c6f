import { describe, expect, test } from "vitest";
import { within } from "../src/engine/graph/path.js";
import { input } from "../src/engine/graph/value.js";
import { writeModel } from "../src/engine/onnx/writeModel.js";
import { add, log, mul, scale, sqrt } from "../src/engine/ops/elementwise.js";
import { matmul } from "../src/engine/ops/matmul.js";
import { compile, compileGuarded, findNonFinite } from "../src/engine/runtime/compile.js";
import type { Runtime } from "../src/engine/runtime/runtime.js";
import { float32, int64 } from "../src/engine/tensor/hostTensor.js";

const x = input("x", { dtype: "float32", shape: [2] });
const doubling = { outputs: { y: scale(x, 2) } };
const two = float32([2], [1, 2]);

/** What every runtime promises; each implementation calls this once. */
export function runtimeContract(name: string, open: () => Promise<Runtime>): void {
  describe(`the ${name} runtime`, () => {
    test("runs a graph", async () => {
      const program = await compile(await open(), doubling);
      const { y } = await program.run({ x: two });
      expect(y).toEqual(float32([2], [2, 4]));
      await program.close();
    });

    test("writes to the arrays it is given", async () => {
      const program = await compile(await open(), doubling);
      const into = { y: float32([2], [0, 0]) };
      const results = await program.run({ x: two }, into);
      expect(results.y).toBe(into.y);
      expect([...into.y.data]).toEqual([2, 4]);
      await program.close();
    });

    test("leaves the caller's arrays alone", async () => {
      const program = await compile(await open(), { outputs: { y: add(mul(x, x), x) } });
      const feed = float32([2], [3, 4]);
      await program.run({ x: feed });
      expect([...feed.data]).toEqual([3, 4]);
      await program.close();
    });

    test("gives an input back under another name", async () => {
      const program = await compile(await open(), {
        outputs: { same: x, doubled: doubling.outputs.y, again: doubling.outputs.y },
      });
      const { same, again } = await program.run({ x: two });
      expect([[...same!.data], [...again!.data]]).toEqual([
        [1, 2],
        [2, 4],
      ]);
      await program.close();
    });

    test("names the input that is missing, misshapen, of the wrong type or too short", async () => {
      const program = await compile(await open(), doubling);
      await expect(program.run({})).rejects.toThrow('input "x" float32[2] was not given');
      await expect(program.run({ x: float32([3], [1, 2, 3]) })).rejects.toThrow(
        'input "x" is float32[3], wanted float32[2]',
      );
      await expect(program.run({ x: int64([2], [1, 2]) })).rejects.toThrow('input "x" is int64[2], wanted float32[2]');
      const short = { dtype: "float32" as const, shape: [2], data: Float32Array.of(1) };
      await expect(program.run({ x: short })).rejects.toThrow('input "x" float32[2] has an array of 1 elements');
      await program.close();
    });

    test("names the output that does not exist or does not fit", async () => {
      const program = await compile(await open(), doubling);
      await expect(program.run({ x: two }, { z: two })).rejects.toThrow('there is no output "z"');
      await expect(program.run({ x: two }, { y: float32([1], [0]) })).rejects.toThrow(
        'output "y" is float32[1], wanted float32[2]',
      );
      await program.close();
    });

    test("runs one model at several sizes where its extents are open, and names what does not fit them", async () => {
      const type = { dtype: "float32" as const, shape: ["n", "n"] };
      const square = input("x", { dtype: "float32", shape: [2, 2] });
      const { bytes } = writeModel({ outputs: { y: scale(square, 2) } }, { open: { x: type.shape, y: type.shape } });
      const signature = { inputs: new Map([["x", type]]), outputs: new Map([["y", type]]) };
      const program = await (await open()).load(bytes, signature);
      const { y } = await program.run({ x: float32([1, 1], [3]) });
      expect(y).toEqual(float32([1, 1], [6]));
      expect((await program.run({ x: float32([2, 2], [1, 2, 3, 4]) })).y).toEqual(float32([2, 2], [2, 4, 6, 8]));
      await expect(program.run({ x: float32([1, 2], [1, 2]) })).rejects.toThrow(
        'input "x" is float32[1, 2], wanted float32[n, n]',
      );
      await program.close();
    });

    test("finds the node that made the first NaN, by its path", async () => {
      const root = within("head/norm", () => sqrt(x));
      const graph = { outputs: { y: scale(log(root), 3) } };
      const feeds = { x: float32([2], [4, -1]) };
      const runtime = await open();
      expect(await findNonFinite(runtime, graph, feeds)).toMatch(
        /^node "head\/norm\/Sqrt" float32\[2\] is the first to make NaN, at element 1$/,
      );
      expect(await findNonFinite(runtime, graph, { x: two })).toBeNull();
      const guarded = await compileGuarded(runtime, graph);
      await expect(guarded.run(feeds)).rejects.toThrow('"y" is not finite: node "head/norm/Sqrt"');
      await expect(guarded.run({ x: float32([2], [Number.POSITIVE_INFINITY, 1]) })).rejects.toThrow(
        'input "x" float32[2] holds Infinity at element 0',
      );
      await guarded.close();
    });

    test("multiplies matrices of odd sizes", async () => {
      const a = input("a", { dtype: "float32", shape: [3, 5] });
      const b = input("b", { dtype: "float32", shape: [7, 5] });
      const program = await compile(await open(), { outputs: { y: matmul(a, b, { transposeB: true }) } });
      const values = (n: number) => Array.from({ length: n }, (_, i) => (i % 7) - 3);
      const { y } = await program.run({ a: float32([3, 5], values(15)), b: float32([7, 5], values(35)) });
      const dot = (i: number, j: number) =>
        values(5).reduce((t, _, k) => t + (((i * 5 + k) % 7) - 3) * (((j * 5 + k) % 7) - 3), 0);
      expect([...y!.data]).toEqual(Array.from({ length: 21 }, (_, i) => dot(Math.floor(i / 7), i % 7)));
      await program.close();
    });
  });
}
