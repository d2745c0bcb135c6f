import { expect, test } from "vitest";
import type { Method } from "../methods/parts/method.js";
import { methods } from "../methods/registry.js";
import { resolveConfig, type TrainConfig } from "../runs/config.js";
import { askedMethods, ownMethod } from "./askedMethods.js";

const gamma = resolveConfig({ method: "gamma-ssl", source: "a", targets: ["b"] });
const noSsl = resolveConfig({ method: "gamma-ssl", source: "a", targets: ["b"], ablation: "no-ssl" });
const supervised = resolveConfig({ source: "a" });
const asked = (configs: readonly TrainConfig[], words: string | undefined) =>
  askedMethods(configs, words).map(({ name }) => name);

test("a run's own method is γ-SSL, NoSSL where it ended before the target, or none", () => {
  expect([gamma, noSsl, supervised].map((config) => ownMethod(config)?.name ?? null)).toEqual([
    "gamma-ssl",
    "no-ssl",
    null,
  ]);
});

test("all is everything a run has but variants; nothing said is what costs no further training", () => {
  const all = methods.map(({ name }) => name).filter((name) => name !== "mcd-dsl-head");
  expect(asked([gamma], "all")).toEqual(all);
  expect(asked([noSsl], "all")).toEqual(all.filter((name) => name !== "gamma-ssl"));
  expect(asked([supervised], "all")).toEqual(all.filter((name) => !["gamma-ssl", "no-ssl"].includes(name)));
  expect(asked([gamma], undefined)).toEqual(["max-softmax", "entropy", "max-logit", "energy", "gamma-ssl"]);
  expect(asked([noSsl], undefined)).toEqual(["max-softmax", "entropy", "max-logit", "energy", "no-ssl"]);
});

test("names may be in any order and with spaces; one that does not exist, or that the run does not have, is refused", () => {
  expect(asked([gamma], "vim, odin")).toEqual(["odin", "vim"]);
  expect(() => askedMethods([gamma], "vim,odn")).toThrow('no method "odn"');
  expect(() => askedMethods([supervised], "no-ssl")).toThrow('no method "no-ssl"');
});

test("an unknown name is answered with the one that was probably meant", () => {
  expect(() => askedMethods([gamma], "vim,odn")).toThrow(
    expect.objectContaining({
      hint: expect.stringMatching(
        /^did you mean "odin"\? known: all, ensemble-pe-5, .*gamma-ssl; NAME@adapted is a baseline on the network after adaptation$/,
      ),
    }),
  );
});

test("a baseline of one pass has a variant on the adapted network, by its name and of an adapted run alone", () => {
  expect(asked([gamma], "odin@adapted, max-softmax,max-softmax@adapted")).toEqual([
    "max-softmax",
    "max-softmax@adapted",
    "odin@adapted",
  ]);
  expect(asked([gamma], "all").join()).not.toContain("@");
  for (const config of [noSsl, supervised])
    expect(() => asked([config], "vim@adapted")).toThrow('"vim@adapted" in these runs: none of them was adapted');
  expect(() => asked([gamma], "dum@adapted")).toThrow('"dum@adapted": dum is not of one pass through the network');
  expect(() => asked([gamma], "gamma-ssl@adapted")).toThrow('no method "gamma-ssl@adapted"');
});

test("a plug-in of the adapted network is a method of adapted runs", () => {
  const own = { ...methods.find(({ name }) => name === "entropy")!, name: "own", network: "adapted" } as Method;
  expect(askedMethods([gamma], "own", [...methods, own])).toEqual([own]);
  expect(askedMethods([gamma], undefined, [...methods, own])).toContain(own);
  expect(() => askedMethods([supervised], "own", [...methods, own])).toThrow("none of them was adapted to a target");
});
