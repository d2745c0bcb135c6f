import { expect, test } from "vitest";
import { duration, type Screen, TrainStatus } from "./trainStatus.js";

function recorded(columns = Number.POSITIVE_INFINITY, live = true): Screen & { lines: string[]; passed: string[] } {
  const lines: string[] = [];
  const passed: string[] = [];
  return { live, columns, lines, passed, line: (text) => lines.push(text), passing: (text) => passed.push(text) };
}

const step = (number: number, seconds: number, measures: Record<string, number> = { loss: 1 / number }) => ({
  kind: "step" as const,
  step: number,
  measures,
  images: 6,
  seconds,
  waited: 0.01 * seconds,
});
const one = [{ name: "supervised", steps: 100, images: 6 }];

/** A status whose clock stands at the time of the last step shown, plus what is waited. */
function open(screen: Screen, name?: string) {
  const clock = { seconds: 0 };
  const status = new TrainStatus(screen, name, () => clock.seconds);
  const at = (event: ReturnType<typeof step>): void => {
    clock.seconds = event.seconds;
    status.show(event);
  };
  return { clock, status, at };
}

test("a terminal sees each step with pace, time left, loss and data wait", () => {
  const screen = recorded();
  const { status, at } = open(screen);
  status.show({ kind: "started", done: 0, steps: 100, stages: one });
  at(step(1, 5));
  at(step(2, 6));
  at(step(3, 7));
  expect(screen.passed.at(-1)).toBe("supervised · 3/100 · ETA 1 min 37 s · loss 0.333 · 6.0 img/s · data-wait 1 %");
  expect(screen.lines).toEqual([]);
  status.close();
});

const measures = {
  ...{
    loss: 2.315,
    "loss.supervised": 0.42,
    "loss.uniformity": 0.03,
    "loss.consistency": 0.88,
    "loss.prototype": 0.11,
  },
  ...{ gamma: 0.71, certain: 0.64, consistent: 0.66 },
};

test("at 80 columns the stage, the time left and both shares are there, and no part is cut in two", () => {
  const screen = recorded(79);
  const { status, at } = open(screen);
  const stages = [
    { name: "pretraining", steps: 12_000, images: 6 },
    { name: "adaptation", steps: 68_000, images: 18 },
  ];
  status.show({ kind: "started", done: 12_400, steps: 80_000, stages });
  for (let i = 1; i <= 30; i++) at(step(12_400 + i, 1.5 * i, measures));
  const line = screen.passed.at(-1)!;
  expect(line).toBe("adaptation · 12430/80000 · ETA 28 h 09 min · certain 64 % · consistent 66 %");
  expect(line.length).toBeLessThanOrEqual(79);
  status.close();
});

test("the time left goes on between steps, follows the pace of the stage, and counts later stages by their images", () => {
  const screen = recorded();
  const { clock, status, at } = open(screen);
  const stages = [
    { name: "pretraining", steps: 50, images: 6 },
    { name: "adaptation", steps: 50, images: 18 },
  ];
  const left = (): string => /ETA ([^·]*) ·/.exec(screen.passed.at(-1)!)![1]!;
  status.show({ kind: "started", done: 0, steps: 100, stages });
  for (let i = 1; i <= 10; i++) at(step(i, i));
  expect(left()).toBe(duration(40 + 50 * 3));
  clock.seconds += 30;
  status.tick();
  expect(left()).toBe(duration(40 + 50 * 3 - 30));
  status.show({ kind: "busy", what: "validating" });
  expect(screen.passed.at(-1)).toContain("ETA 2 min 40 s · validating · loss");
  clock.seconds += 1;
  status.tick();
  expect(screen.passed.at(-1)).toContain("ETA 2 min 39 s · validating · loss");
  // The second stage takes ten seconds a step: what the first took is no measure any more.
  for (let i = 51; i <= 53; i++) at(step(i, 10 * i));
  expect(left()).toBe(duration(47 * 10));
  status.close();
});

test("each stage is announced with its steps, and why the loss jumps", () => {
  const screen = recorded();
  const { status, at } = open(screen);
  const stages = ["pretraining", "warm-up", "adaptation"].map((name) => ({ name, steps: 2, images: 6 }));
  status.show({ kind: "started", done: 1, steps: 6, stages });
  for (let i = 2; i <= 6; i++) at(step(i, i));
  expect(screen.lines).toEqual([
    "going on after step 1 of 6",
    "stage 1 of 3: pretraining, steps 1 to 2",
    "stage 2 of 3: warm-up, steps 3 to 4; its loss has other terms, so it jumps here",
    "stage 3 of 3: adaptation, steps 5 to 6; its loss has other terms, so it jumps here",
  ]);
  expect(screen.passed.map((line) => line.split(" · ")[0])).toEqual([
    ...["pretraining", "warm-up", "warm-up", "adaptation", "adaptation"],
  ]);
  status.close();
});

test("a pipe gets a plain line every half minute, and the last step", () => {
  const screen = recorded(Number.POSITIVE_INFINITY, false);
  const { status, at } = open(screen, "mc-dropout");
  status.show({ kind: "started", done: 10, steps: 100, stages: one });
  for (let i = 11; i <= 100; i++) at(step(i, i - 10));
  expect(screen.lines[0]).toBe("going on after step 10 of 100");
  expect(screen.lines.slice(1).map((line) => line.split(" · ").slice(0, 2).join(" "))).toEqual([
    ...["mc-dropout 11/100", "mc-dropout 41/100", "mc-dropout 71/100", "mc-dropout 100/100"],
  ]);
});

test("durations read as people say them", () => {
  expect([45.2, 725, 21840].map(duration)).toEqual(["45 s", "12 min 05 s", "6 h 04 min"]);
});
