import { expect, test } from "vitest";
import { nice, subscripts } from "./subscripts.js";

test("names of the paper's measures and losses have their indices below the line", () => {
  expect(nice("MaxA_MD and F0.5")).toBe("MaxA<sub>MD</sub> and F<sub>0.5</sub>");
  expect(nice("Supervised loss L_s")).toBe("Supervised loss L<sub>s</sub>");
  expect(nice("views agree (L_c)")).toBe("views agree (L<sub>c</sub>)");
  expect(subscripts("A_MD")).toEqual([
    { text: "A", below: false },
    { text: "MD", below: true },
  ]);
});

test("other names stay as they are, escaped", () => {
  for (const name of ["MODEL_s", "L_source", "0.5", "gamma_ssl"]) expect(nice(name)).toBe(name);
  expect(nice("<b>L_c")).toBe("&#60;b&#62;L<sub>c</sub>");
});
