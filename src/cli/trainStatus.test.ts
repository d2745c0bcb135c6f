import { expect, test } from "vitest";
import { duration, type Screen, TrainStatus } from "./trainStatus.js";

function recorded(live: boolean): Screen & { lines: string[]; passed: string[] } {
  const lines: string[] = [];
  const passed: string[] = [];
  return { live, lines, passed, line: (text) => lines.push(text), passing: (text) => passed.push(text) };
}

const step = (number: number, seconds: number, images = 6) => ({
  kind: "step" as const,
  step: number,
  measures: { loss: 1 / number, gradientNorm: 3, learningRate: 0.1 },
  images,
  seconds,
  waited: 0.01 * seconds,
});

test("a terminal sees each step with pace, time left, loss and data wait", () => {
  const screen = recorded(true);
  const status = new TrainStatus(screen, "supervised");
  status.show({ kind: "started", done: 0, steps: 100 });
  status.show(step(1, 5));
  status.show(step(2, 6));
  status.show(step(3, 7));
  expect(screen.passed.at(-1)).toBe("supervised · 3/100 · 6.0 img/s · ETA 1 min 37 s · loss 0.333 · data-wait 1 %");
  expect(screen.lines).toEqual([]);
});

test("where a stage with larger batches begins, the pace so far is what it was", () => {
  const screen = recorded(true);
  const status = new TrainStatus(screen, "gamma-ssl");
  status.show({ kind: "started", done: 0, steps: 100 });
  for (const [number, images] of [6, 6, 6, 18].entries()) status.show(step(number + 1, number, images));
  expect(screen.passed.map((line) => line.split(" · ")[2])).toEqual([
    "loss 1.000",
    "6.0 img/s",
    "6.0 img/s",
    "10.0 img/s",
  ]);
});

test("a pipe gets a plain line every half minute, and the last step", () => {
  const screen = recorded(false);
  const status = new TrainStatus(screen, "supervised");
  status.show({ kind: "started", done: 10, steps: 100 });
  for (let i = 11; i <= 100; i++) status.show(step(i, i - 10));
  expect(screen.lines[0]).toBe("going on after step 10 of 100");
  expect(screen.lines.slice(1).map((line) => line.split(" · ")[1])).toEqual(["11/100", "41/100", "71/100", "100/100"]);
});

test("durations read as people say them", () => {
  expect([45.2, 725, 21840].map(duration)).toEqual(["45 s", "12 min 05 s", "6 h 04 min"]);
});
