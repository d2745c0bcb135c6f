import { expect, test } from "vitest";
import { printable } from "./printable.js";

test("names cannot move the cursor, retitle the window, ring, break lines or turn the writing around", () => {
  const payloads = [
    "\u001b[2J",
    "\u001b]0;title\u0007",
    "\u009b31m",
    "\u0007",
    "\r\n",
    "\u0000",
    "\u0008",
    "\u007f",
    "\u202e",
    "\u2066",
    "\u001b]8;;http://x\u001b\\",
    "\u2028",
    "\u2029",
    "\u200b",
    "\ufeff",
    "\u001bP",
    "\u001b_",
    "\u0085",
    "\u000b",
    "\u000c",
  ];
  for (const payload of payloads) {
    const shown = printable(`a${payload}b`);
    expect(shown).toMatch(/^[\x20-\x7e]+$/);
    expect(shown).toMatch(/^a\\[xu]/);
  }
  expect(printable("γ-SSL, Straße")).toBe("γ-SSL, Straße");
});
