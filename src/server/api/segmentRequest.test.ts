import { expect, test } from "vitest";
import { negotiate } from "./negotiate.js";
import { segmentRequest } from "./segmentRequest.js";

const offers = ["application/json", "image/png", "image/jpeg"] as const;

test.each([
  [undefined, "application/json"],
  ["*/*", "application/json"],
  ["image/*", "image/png"],
  ["image/jpeg, image/png", "image/png"],
  ["image/jpeg, image/png;q=0.5", "image/jpeg"],
  ["application/json;q=0.1, */*;q=0.5", "image/png"],
  ["image/png;q=0, image/*", "image/jpeg"],
  ["text/html", undefined],
  ["", undefined],
  ["image/png;q=x", undefined],
  [",;,q=1,/", undefined],
] as const)("Accept: %s takes %s", (accept, type) => expect(negotiate(accept, offers)).toBe(type));

test("what is asked for, or else the type, says what is answered", () => {
  const outputOf = (query: Record<string, string[]>, accept?: string) => {
    const { output, type } = segmentRequest(query, accept === undefined ? {} : { accept });
    return [output, type];
  };
  expect(outputOf({})).toEqual(["summary", "image/png"]);
  expect(outputOf({}, "image/png")).toEqual(["classes", "image/png"]);
  expect(outputOf({}, "image/jpeg")).toEqual(["overlay", "image/jpeg"]);
  expect(outputOf({ output: ["certain"] }, "image/jpeg")).toEqual(["certain", "image/jpeg"]);
  expect(outputOf({ output: ["uncertainty"] })).toEqual(["uncertainty", "image/png"]);
  expect(() => segmentRequest({ output: ["classes"] }, { accept: "application/json" })).toThrow("none of image/png");
});

test.each([
  [{ gama: ["1"] }, 'there is no parameter "gama"'],
  [{ gamma: ["one"] }, 'gamma is "one", wanted a number'],
  [{ gamma: [""] }, 'gamma is ""'],
  [{ gamma: ["1e999"] }, "wanted a number"],
  [{ gamma: ["1", "2"] }, "gamma is given 2 times"],
  [{ output: ["mask"] }, 'output is "mask"'],
])("%o is refused", (query, message) => expect(() => segmentRequest(query, {})).toThrow(message));

test("a form is told from an image by its type, and needs its boundary later", () => {
  const type = "multipart/form-data; boundary=x";
  expect(segmentRequest({}, { "content-type": type }).form).toBe(type);
  for (const other of ["image/jpeg", "application/x-www-form-urlencoded", "multipart/mixed; boundary=x"])
    expect(segmentRequest({}, { "content-type": other }).form).toBeUndefined();
  expect(segmentRequest({}, {}).form).toBeUndefined();
});
