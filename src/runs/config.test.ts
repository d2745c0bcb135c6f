import { expect, test } from "vitest";
import { type AblationName, ablations } from "../methods/gamma-ssl/ablations.js";
import { type ProfileName, profiles, profileViews, small } from "../methods/gamma-ssl/options.js";
import { contentHash, differences, type GammaConfig, mergeSettings, resolveConfig } from "./config.js";

test("what is left out is filled in", () => {
  const config = resolveConfig({ source: "scenes:city", view: { crop: [64, 128] } });
  expect(config.view.crop).toEqual([64, 128]);
  expect(config.view.flip).toBe(0.5);
  expect(config).toMatchObject({ method: "supervised", network: { features: 256 } });
  expect(resolveConfig(config)).toEqual(config);
  // Left out and not null: configs from before there were teachers keep their hash.
  expect("teacher" in config).toBe(false);
});

test("γ-SSL takes a profile, settings over it, and then an ablation that changes one thing", () => {
  const settings = { method: "gamma-ssl", source: "a", targets: ["b"], options: { network: { width: 0.25 } } };
  const config = resolveConfig(settings);
  expect(config).toMatchObject({ profile: "small", options: { network: { ...small.network, width: 0.25 } } });
  expect(resolveConfig(config)).toEqual(config);
  const { options } = resolveConfig({ ...settings, ablation: "full-regularisation" }) as GammaConfig;
  expect(options.weights).toEqual({ ...small.weights, uniformity: 1, prototype: 1 });
  expect(options.network.width).toBe(0.25);
  expect(() => resolveConfig({ ...settings, options: { netwrok: {} } })).toThrow("netwrok");
  expect(() => resolveConfig({ ...settings, profile: "tiny" })).toThrow("profile");
});

test("a setting of another kind replaces that of the profile, with all that belonged to it", () => {
  const settings = { method: "gamma-ssl", source: "a", targets: ["b"] };
  const self = resolveConfig({ ...settings, options: { teacher: { kind: "self" } } }) as GammaConfig;
  expect(self.options).toEqual({ ...small, teacher: { kind: "self" } });
  const slower = resolveConfig({ ...settings, options: { teacher: { keep: 0.99 } } }) as GammaConfig;
  expect(slower.options.teacher).toEqual({ kind: "averaged", keep: 0.99 });
});

test.each(Object.keys(ablations) as AblationName[])(
  "the config of a run with the ablation %s can be read again",
  (ablation) => {
    const config = resolveConfig({ method: "gamma-ssl", source: "a", targets: ["b"], ablation });
    expect(resolveConfig(JSON.parse(JSON.stringify(config)))).toEqual(config);
  },
);

test.each(Object.keys(profiles) as ProfileName[])("views that are not set come from the profile %s", (profile) => {
  const settings = { method: "gamma-ssl", source: "a", targets: ["b"], profile };
  expect(resolveConfig(settings).view).toEqual(profileViews[profile]);
  const { view } = resolveConfig({ ...settings, view: { height: 96, local: { chance: 0.2 }, colour: "off" } });
  const { local } = profileViews[profile];
  expect(view).toEqual({ ...profileViews[profile], height: 96, local: { ...local, chance: 0.2 }, colour: "off" });
});

test("A-4 to A-6: the paper's images have a height of 480, its crops 256 pixels, its local crops a third to a half of their side", () => {
  const { view } = resolveConfig({ method: "gamma-ssl", source: "a", targets: ["b"], profile: "paper" });
  expect(view).toMatchObject({ height: 480, crop: [256, 256], local: { chance: 0.5, side: [1 / 3, 1 / 2] } });
  expect(profileViews.official).toEqual(profileViews.paper);
  expect(profileViews.small).toMatchObject({ height: 192, crop: [128, 160], local: { side: [0.5, 0.9] } });
});

test("options that are gone are refused by name", () => {
  const settings = { method: "gamma-ssl", source: "a", targets: ["b"] };
  for (const options of [
    { familiarity: 0.6 },
    { classFrom: "head" },
    { score: "lesser" },
    { training: { steps: 9 } },
  ]) {
    const [name] = Object.keys(options.training ?? options);
    expect(() => resolveConfig({ ...settings, options })).toThrow(name!);
  }
  expect(() => resolveConfig({ ...settings, targetColour: "off" })).toThrow("targetColour");
});

test("E may be frozen for 30 % of the second stage at most", () => {
  const settings = (warmUp: number) => ({
    method: "gamma-ssl",
    source: "a",
    targets: ["b"],
    options: { training: { warmUp } },
  });
  expect(resolveConfig(settings(0.3))).toMatchObject({ options: { training: { warmUp: 0.3 } } });
  expect(() => resolveConfig(settings(0.31))).toThrow("options.training.warmUp");
});

test("every wrong setting is named at once, unknown ones too", () => {
  const wrong = { source: "x", steps: 0, view: { crop: [60, 64] }, learningrate: 1 };
  expect(() => resolveConfig(wrong, "my.json")).toThrow(
    'my.json: view.crop.0 is 60, wanted a multiple of 16, e.g. 48 or 64; steps is 0, wanted more than 0; there is no setting "learningrate"',
  );
});

test("a view that cannot be made is refused", () => {
  const withView = (view: object) => () => resolveConfig({ source: "x", view });
  expect(withView({ scale: [1, 0.5] })).toThrow("view.scale");
  expect(withView({ scale: [0, 0.5] })).toThrow("view.scale.0 is 0");
  expect(withView({ local: { side: [0.5, 1.5] } })).toThrow("at most 1");
  expect(withView({ flip: 2 })).toThrow("view.flip is 2");
  expect(withView({ height: 60.5 })).toThrow("view.height is 60.5");
});

test("later layers win key by key, and nothing unset hides what is set", () => {
  const merged = mergeSettings({ a: 1, view: { flip: 0.5, height: 4 } }, { a: undefined, view: { height: 8 } });
  expect(merged).toEqual({ a: 1, view: { flip: 0.5, height: 8 } });
});

test("a key called __proto__ is an unknown setting and pollutes nothing", () => {
  const merged = mergeSettings({ source: "x" }, JSON.parse('{"__proto__": {"polluted": 1}}'));
  expect(() => resolveConfig(merged)).toThrow("__proto__");
  expect(({} as { polluted?: number }).polluted).toBeUndefined();
});

test("a hash depends on content, not on the order of keys", () => {
  expect(contentHash({ a: 1, b: [{ c: 2, d: 3 }] })).toBe(contentHash({ b: [{ d: 3, c: 2 }], a: 1 }));
  expect(contentHash({ a: 1 })).not.toBe(contentHash({ a: 2 }));
});

test("differences are told by path", () => {
  expect(differences({ a: 1, view: { height: 4 } }, { a: 1, view: { height: 8 } })).toEqual([
    "view.height: 4 here, 8 there",
  ]);
});

test("the same data set in another order of its options is no difference", () => {
  const [one, two] = ["scenes:city?split=train&count=4", "scenes:city?count=4&split=train"];
  expect(differences({ source: one, targets: [two] }, { source: two, targets: [one] })).toEqual([]);
  expect(differences({ source: one }, { source: "scenes:city?count=5&split=train" })).toHaveLength(1);
});

test("G4: what is missing or misspelt is said in words, with the nearest name", () => {
  expect(() => resolveConfig({})).toThrow("config: source is missing, wanted text");
  expect(() => resolveConfig({ source: "x", method: "gama-ssl" })).toThrow(
    'method is "gama-ssl"; did you mean "gamma-ssl"?',
  );
  expect(() => resolveConfig({ source: "x", targets: ["y"], profile: "papr" })).toThrow('did you mean "paper"?');
  expect(() => resolveConfig({ source: "x", steps: "ten" })).toThrow('steps is "ten", wanted a number');
});

test("A3: targets make it γ-SSL; settings of the other method are refused by name", () => {
  expect(resolveConfig({ source: "x", targets: ["y"] }).method).toBe("gamma-ssl");
  expect(resolveConfig({ source: "x" }).method).toBe("supervised");
  expect(() => resolveConfig({ source: "x", profile: "paper" })).toThrow('there is no setting "profile"');
  expect(() => resolveConfig({ source: "x", targets: ["y"], clipNorm: 1 })).toThrow('there is no setting "clipNorm"');
});
