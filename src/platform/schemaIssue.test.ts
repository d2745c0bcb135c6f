import { expect, test } from "vitest";
import { z } from "zod";
import { describeIssue } from "./schemaIssue.js";

test("whatever a schema refuses is said in words: name, value, and what is wanted", () => {
  const schema = z.strictObject({
    crop: z.int().positive().multipleOf(16),
    name: z.string().min(3),
    classes: z.array(z.string()).min(1),
    share: z.number().max(1),
    colour: z.union([z.tuple([z.int()]), z.string().regex(/^#/, 'wanted "#rrggbb"')]),
    version: z.literal(2),
    stride: z.literal([8, 16]),
    view: z.object({}),
  });
  const said = (given: object): string[] => {
    const { error } = schema.safeParse(given);
    return error!.issues.map((issue) => describeIssue(issue, given));
  };
  const wrong = {
    crop: 200,
    name: "x",
    classes: [],
    share: 2,
    colour: "red",
    version: 1,
    stride: 9,
    view: "x",
    odd: 1,
  };
  expect(said(wrong)).toEqual([
    "crop is 200, wanted a multiple of 16, e.g. 192 or 208",
    'name is "x", wanted at least 3 characters',
    "classes is [], wanted at least 1 entries",
    "share is 2, wanted at most 1",
    'colour is "red": wanted "#rrggbb"',
    "version is 1, wanted 2",
    "stride is 9, wanted 8 or 16",
    'view is "x", wanted an object, { … }',
    'there is no field "odd"',
  ]);
  expect(said({ ...wrong, classes: ["x"], colour: 5, crop: -1.5 }).join("; ")).toContain(
    "crop is -1.5, wanted a whole number",
  );
  expect(said({ ...wrong, colour: 5 }).join("; ")).toContain("colour is 5, wanted a list, or text");
});
