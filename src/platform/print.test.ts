import { afterEach, expect, test, vi } from "vitest";
import { print, printJson, printNote } from "./print.js";

afterEach(() => vi.restoreAllMocks());

test("F11: whatever is printed, no escape sequence but our own three marks reaches the terminal", () => {
  let text = "";
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, "write").mockImplementation((part) => {
      text += part;
      return true;
    });
  }
  const hostile = "scenes:\u001b]0;title\u0007\u001b[8m\u009b2J\r\u202ecity";
  print(`\u001b[1mbold\u001b[22m ${hostile}\nsecond`);
  printNote(hostile);
  printJson({ spec: hostile }, 1);
  expect(text.replaceAll("\u001b[1m", "").replaceAll("\u001b[22m", "")).toMatch(/^[\x20-\x7e\n]+$/);
  expect(text).toContain("\u001b[1mbold\u001b[22m scenes:\\x1b]0;title\\x07");
  const json = text.slice(text.indexOf("{"));
  expect(JSON.parse(json)).toEqual({ spec: hostile });
});
