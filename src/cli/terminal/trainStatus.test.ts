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
  const status = new TrainStatus(screen, { name, now: () => clock.seconds });
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
  expect(screen.passed.at(-1)).toBe(
    "supervised ░░░░░░░░░░░░░░░░░░░░ 3/100 · ETA 1 min 37 s · loss 0.333 · 6.0 img/s · data-wait 1 %",
  );
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
  expect(line).toBe("adaptation ░░░░░ 12430/80000 · ETA 28 h 09 min · certain 64 % · consistent 66 %");
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

test("each stage is announced with its steps, and where the loss jumps", () => {
  const screen = recorded();
  const { status, at } = open(screen);
  const names = ["pretraining", "warm-up", "adaptation", "extension-1"];
  const stages = names.map((name) => ({ name, steps: 2, images: 6 }));
  status.show({ kind: "started", done: 1, steps: 8, stages });
  for (let i = 2; i <= 8; i++) at(step(i, i));
  expect(screen.lines).toEqual([
    "going on after step 1 of 8",
    "stage 1 of 4: pretraining, steps 1 to 2",
    "stage 2 of 4: warm-up, steps 3 to 4; new loss terms: expect a jump",
    "stage 3 of 4: adaptation, steps 5 to 6",
    "stage 4 of 4: extension-1, steps 7 to 8; the optimiser starts afresh",
  ]);
  expect(screen.passed.map((line) => line.split(" ")[0])).toEqual([
    ...["pretraining", "warm-up", "warm-up", "adaptation", "adaptation", "extension-1", "extension-1"],
  ]);
  status.close();
});

test("a wide terminal names each loss, and has a bar", () => {
  const screen = recorded(199);
  const { status, at } = open(screen);
  status.show({ kind: "started", done: 0, steps: 40, stages: [{ name: "adaptation", steps: 40, images: 6 }] });
  at(step(10, 10, measures));
  expect(screen.passed.at(-1)).toBe(
    `adaptation ${"█".repeat(5)}${"░".repeat(15)} 10/40 · certain 64 % · consistent 66 % · loss 2.315 · γ 0.71 · supervised 0.42 · consistency 0.88 · uniformity 0.03 · prototypes 0.11 · data-wait 1 %`,
  );
  status.close();
});

test("details of a note are shown where they are asked for", () => {
  const note = { kind: "note" as const, message: "one line", details: ["first", "second"] };
  const [brief, whole] = [recorded(), recorded()];
  new TrainStatus(brief).show(note);
  new TrainStatus(whole, { verbose: true }).show(note);
  expect([brief.lines, whole.lines]).toEqual([["one line"], ["one line\n  first\n  second"]]);
});

test("a pipe gets a plain line every half minute, and the last step", () => {
  const screen = recorded(Number.POSITIVE_INFINITY, false);
  const { status, at } = open(screen, "mc-dropout");
  status.show({ kind: "started", done: 10, steps: 100, stages: one });
  for (let i = 11; i <= 100; i++) at(step(i, i - 10));
  expect(screen.lines[0]).toBe("going on after step 10 of 100");
  expect(screen.lines.slice(1).map((line) => line.split(" · ")[0])).toEqual([
    ...["mc-dropout 11/100", "mc-dropout 41/100", "mc-dropout 71/100", "mc-dropout 100/100"],
  ]);
});

test("durations read as people say them", () => {
  expect([45.2, 725, 21840].map(duration)).toEqual(["45 s", "12 min 05 s", "6 h 04 min"]);
});
