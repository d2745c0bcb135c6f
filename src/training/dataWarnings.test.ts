import { join } from "node:path";
import { expect, test } from "vitest";
import { idMap, testImage, withFolder, writeFiles } from "../../test/folders.js";
import { resolveConfig } from "../runs/config.js";
import { dataWarnings } from "./dataWarnings.js";
import { openValidated } from "./validatedData.js";

const LABELLED = "images=img&labels=gt&classes=cityscapes-train-ids";

test("what will disappoint is told of in plain words; a sound training has nothing to tell", () =>
  withFolder(async (root) => {
    for (const [name, count, first] of [
      ["source", 20, 0],
      ["few", 2, 40],
      ["target", 10, 60],
    ] as const) {
      for (let i = 0; i < count; i++) {
        const image = await testImage(32, 32, first + i)
          .png()
          .toBuffer();
        const labels = idMap(32, 32, name === "few" ? [0, 1] : Array.from({ length: 19 }, (_, id) => id));
        await writeFiles(join(root, name), { [`img/${i}.png`]: image, [`gt/${i}.png`]: labels });
      }
    }
    const open = (spec: string) => openValidated(spec, { cache: join(root, "cache") });
    const warnings = async (source: string, target: string, weights: string | null = "resnet18.pth") => {
      const specs = { source: `folder:${root}/${source}?${LABELLED}`, targets: [`folder:${root}/${target}`] };
      const config = resolveConfig({ method: "gamma-ssl", ...specs, weights });
      return dataWarnings(config, await open(specs.source), [await open(specs.targets[0]!)]);
    };
    expect(await warnings("source", "target/img")).toEqual([]);
    expect(await warnings("few", "target/img?limit=1")).toEqual([
      expect.stringMatching(/^classes "building", .* never occur in folder:.*: nothing can be learned about them$/),
      "only 2 images with labels: too few to learn classes from; some hundred are usual",
      expect.stringMatching(/^only 1 image in the target folder:.*: the network and γ will suit these alone$/),
    ]);
    expect(await warnings("source", "source/img", null)).toEqual([
      expect.stringMatching(/^20 of the 20 images of the target folder:.* are images of the source: .*another place/),
      expect.stringContaining("random weights"),
    ]);
  }));

test("drawn images need no weights of photographs", () =>
  withFolder(async (root) => {
    const spec = "scenes:city?split=train&count=20&height=32&width=64";
    expect(await dataWarnings(resolveConfig({ source: spec }), await openValidated(spec, { cache: root }), [])).toEqual(
      [],
    );
  }));
