import { expect, test } from "vitest";
import { resolveConfig } from "../runs/config.js";
import { askedMethods, kinOf, ownMethod } from "./methodNames.js";

const gamma = resolveConfig({ method: "gamma-ssl", source: "a", targets: ["b"] });
const noSsl = resolveConfig({ method: "gamma-ssl", source: "a", targets: ["b"], ablation: "no-ssl" });
const supervised = resolveConfig({ source: "a" });

test("a run's own method is γ-SSL, NoSSL where it ended before the target, or none", () => {
  expect([gamma, noSsl, supervised].map(ownMethod)).toEqual(["gamma-ssl", "no-ssl", null]);
});

test("all is everything a run has but variants; nothing said is what costs no further training", () => {
  const all = Object.keys(kinOf).filter((name) => name !== "mcd-dsl-head");
  expect(askedMethods([gamma], "all")).toEqual(all);
  expect(askedMethods([noSsl], "all")).toEqual(all.filter((name) => name !== "gamma-ssl"));
  expect(askedMethods([supervised], "all")).toEqual(all.filter((name) => !["gamma-ssl", "no-ssl"].includes(name)));
  expect(askedMethods([gamma], undefined)).toEqual(["max-softmax", "entropy", "max-logit", "energy", "gamma-ssl"]);
  expect(askedMethods([noSsl], undefined)).toEqual(["max-softmax", "entropy", "max-logit", "energy", "no-ssl"]);
});

test("names may be in any order and with spaces; one that does not exist, or that the run does not have, is refused", () => {
  expect(askedMethods([gamma], "vim, odin")).toEqual(["odin", "vim"]);
  expect(() => askedMethods([gamma], "vim,odn")).toThrow('no method "odn"');
  expect(() => askedMethods([supervised], "no-ssl")).toThrow('no method "no-ssl"');
});
