import { expect, test } from "vitest";
import { LoggedNumbers } from "./loggedNumbers.js";

function logged(...lines: readonly string[]): LoggedNumbers {
  const numbers = new LoggedNumbers();
  for (const [i, line] of lines.entries()) numbers.line(line, i + 1);
  return numbers;
}

test("numbers are gathered by name; lists, words and lines without a step are passed over", () => {
  const numbers = logged(
    '{"event":"start"}',
    '{"step":1,"loss":2,"class.certain":[0,null,0.5],"note":"x"}',
    '{"step":2,"loss":1,"gamma":0.5,"class.certain":[]}',
    '{"step":2,"validation.head.accuracy":0.75}',
  );
  expect(numbers.step).toBe(2);
  expect(numbers.latest).toEqual({ loss: 1, gamma: 0.5, "validation.head.accuracy": 0.75 });
  expect(Object.keys(numbers.curves())).toEqual(["loss", "gamma", "validation.head.accuracy"]);
  expect(numbers.curves().loss).toEqual({ steps: [1, 2], mean: [2, 1], low: [2, 1], high: [2, 1] });
  expect(numbers.warnings).toEqual([]);
});

test("text that looks like a list stays in its string, and names that are nobody's stay names", () => {
  const numbers = logged('{"step":1,"note":"a,\\"b\\":[1]","loss":3}', '{"step":2,"__proto__":7,"constructor":8}');
  expect(numbers.latest.loss).toBe(3);
  expect(Object.keys(numbers.curves())).toEqual(["loss", "__proto__", "constructor"]);
  expect(({} as Record<string, unknown>).step).toBeUndefined();
  expect(numbers.warnings).toEqual([]);
});

test("a number that is not finite is told of with its step, and the curve goes on without it", () => {
  const numbers = logged(
    '{"step":1,"loss":2}',
    '{"step":2,"loss":null}',
    '{"step":3,"loss":1}',
    '{"step":4,"loss":null}',
  );
  expect(numbers.warnings).toEqual(["loss is not a number at step 2"]);
  expect(numbers.curves().loss!.steps).toEqual([1, 3]);
  expect(numbers.latest).toEqual({});
});

test("damaged lines are counted and the first is named; steps that come again change nothing", () => {
  const numbers = logged('{"step":1,"loss":2}', "broken", '{"step":2,"loss":1}', "[]", '{"step":1,"loss":9}', "");
  expect(numbers.warnings).toEqual(["2 lines of the log cannot be read, the first is line 2"]);
  expect(numbers.curves().loss!.mean).toEqual([2, 1]);
  const before = numbers.revision;
  numbers.restart();
  expect([numbers.step, numbers.warnings, numbers.curves()]).toEqual([null, [], {}]);
  expect(numbers.revision).not.toBe(before);
});
