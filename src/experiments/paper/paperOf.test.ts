import { expect, test } from "vitest";
import { resolveConfig } from "../../runs/config.js";
import { paperOf } from "./paperOf.js";

const city = "cityscapes:data/cityscapes?split=train";
const sax = (domain: string, split = "test") => `sax:data/sax?domain=${domain}&split=${split}`;
const [london, forest, scotland] = ["london", "new-forest", "scotland"].map((domain) => sax(domain, "train")) as [
  string,
  string,
  string,
];

/** What the paper calls a result, and where it has it: "γ-SSL LDN Cityscapes"; undefined where it has none. */
function named(method: string, dataset: string, settings: object): string | undefined {
  const [found] = paperOf({ method, dataset, chosen: null }, resolveConfig({ source: city, ...settings }));
  return found && `${found.method} ${found.domain} ${found.source}`;
}

test("baselines are found by source, domain and name, whatever the run was adapted to", () => {
  const adapted = { targets: [scotland] };
  expect(named("vim", sax("london"), adapted)).toBe("ViM LDN Cityscapes");
  expect(named("mc-dropout-mi", sax("new-forest"), adapted)).toBe("MCD-MI_0.2 NF Cityscapes");
  expect(named("ensemble-pe-10", "kitti:data/kitti", adapted)).toBe("Ens-PE_10 KITTI Cityscapes");
  expect(named("dum", "bdd:data/bdd?split=val", {})).toBe("DUM BDD Cityscapes");
  expect(named("ensemble-pe-5", "wilddash:data/wilddash", {})).toBe("Ens-PE_5 WildDash Cityscapes");
  expect(named("max-softmax", sax("scotland"), { source: "bdd:data/bdd" })).toBe("Softmax SCOT BDD");
});

test("what the paper did not measure has no numbers", () => {
  expect(named("vim", "kitti:data/kitti", { source: "bdd:data/bdd" })).toBeUndefined();
  expect(named("vim", "wilddash:data/wilddash", {})).toBeUndefined();
  expect(named("energy", sax("london"), {})).toBeUndefined();
  expect(named("vim", "scenes:town", {})).toBeUndefined();
  expect(named("vim", "predictions of others", {})).toBeUndefined();
  expect(named("vim", sax("london"), { source: "scenes:city" })).toBeUndefined();
  expect(paperOf({ method: "vim", dataset: sax("london"), chosen: null }, null)).toEqual([]);
});

test("γ-SSL is compared in the domain it was adapted to, and nowhere else", () => {
  expect(named("gamma-ssl", sax("london"), { targets: [london] })).toBe("γ-SSL LDN Cityscapes");
  expect(named("gamma-ssl", sax("scotland"), { targets: [london] })).toBeUndefined();
  expect(named("gamma-ssl", "wilddash:data/wilddash", { targets: [london] })).toBeUndefined();
  const kitti = { targets: ["kitti:data/kitti?split=raw"] };
  expect(named("gamma-ssl", "kitti:elsewhere", kitti)).toBe("γ-SSL KITTI Cityscapes");
});

test("a curriculum that begins with London is γ-SSL_iL; on WildDash, the one that ends with Scotland", () => {
  expect(named("gamma-ssl", sax("scotland"), { targets: [london, scotland] })).toBe("γ-SSL_iL SCOT Cityscapes");
  expect(named("gamma-ssl", sax("new-forest"), { targets: [london, forest], source: "bdd:b" })).toBe("γ-SSL_iL NF BDD");
  expect(named("gamma-ssl", sax("london"), { targets: [london, forest] })).toBeUndefined();
  expect(named("gamma-ssl", sax("scotland"), { targets: [forest, scotland] })).toBeUndefined();
  expect(named("gamma-ssl", sax("scotland"), { targets: [london, forest, scotland] })).toBeUndefined();
  const wild = "wilddash:data/wilddash?version=1";
  expect(named("gamma-ssl", wild, { targets: [london, scotland] })).toBe("γ-SSL_iL WildDash Cityscapes");
  expect(named("gamma-ssl", wild, { targets: [london, forest] })).toBeUndefined();
});

test("a run of an ablation is that row of the paper; of what `small` adds there is none", () => {
  const of = (ablation: string, domain = "london") => named("gamma-ssl", sax(domain), { targets: [london], ablation });
  expect(of("no-filter")).toBe("M_γ=-∞ LDN Cityscapes");
  expect(of("no-filter", "scotland")).toBeUndefined();
  expect(of("prototypes-2-no-history")).toBe("batch size 2, history no LDN Cityscapes");
  expect(of("cosine-score")).toBeUndefined();
  expect(of("constant-share")).toBeUndefined(); // not in print
  // These never see their target.
  expect(of("no-ssl", "scotland")).toBe("NoSSL SCOT Cityscapes");
  expect(of("no-sax", "scotland")).toBe("NoSAX SCOT Cityscapes");
  expect(named("no-ssl", sax("scotland"), { targets: [london] })).toBe("NoSSL SCOT Cityscapes");
  const curriculum = { targets: [london, scotland], ablation: "no-regl" };
  expect(named("gamma-ssl", sax("scotland"), curriculum)).toBeUndefined();
  expect(
    named("gamma-ssl", sax("london"), { targets: [london], ablation: "no-regl", source: "bdd:b" }),
  ).toBeUndefined();
});

test("MC dropout of another rate is none of the paper's methods", () => {
  const at = (rate: number) => {
    const chosen = { settings: { rate, draws: 8, average: "probabilities" }, by: "fixed", among: 1, on: null } as const;
    return paperOf({ method: "mc-dropout-pe", dataset: sax("london"), chosen }, resolveConfig({ source: city }));
  };
  expect(at(0.2)[0]!.method).toBe("MCD-PE_0.2");
  expect(at(0.5)).toEqual([]);
});
