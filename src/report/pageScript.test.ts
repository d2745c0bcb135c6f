import { expect, test } from "vitest";
import { pageScript } from "./pageScript.js";
import { scriptFromSource } from "./testing/pageSource.js";

const from = (modules: Record<string, string>) => pageScript(async (name) => modules[name]!);

test("modules are joined in the order in which they need each other, each once", async () => {
  const script = await from({
    "report/page/main.js":
      'import { a } from "./a.js";\nimport { b } from "./b.js";\na(b);\n//# sourceMappingURL=main.js.map',
    "report/page/a.js": 'import { b } from "./b.js";\nexport function a() { return b; }',
    "report/page/b.js": 'import { c } from "../c.js";\nexport const b = c;\nexport {};',
    "report/c.js": "export const c = 1;",
  });
  expect(script).toBe("const c = 1;\nconst b = c;\nfunction a() { return b; }\na(b);");
});

test("what is not understood is refused, never left in", async () => {
  await expect(from({ "report/page/main.js": 'export default "x";' })).rejects.toThrow("was not understood");
  await expect(from({ "report/page/main.js": 'const a = "</script>";' })).rejects.toThrow("end its own element");
});

test("the page's own modules join without a clash of names", async () => {
  const script = await scriptFromSource();
  expect(script.length).toBeGreaterThan(5000);
  expect(script.length).toBeLessThan(60_000);
  const names = [...script.matchAll(/^(?:async )?(?:function|const|let|class) (\w+)/gm)].map(([, name]) => name);
  expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
});
