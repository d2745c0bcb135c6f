/// <reference lib="dom" />
import { encode } from "fast-png";
import { isOutOfDomain } from "../../../deployment/model/outOfDomain.js";
import { sizeSeen } from "../../../inference/imageOutputs.js";
import { Compositor, type View } from "../draw/compositor.js";
import { lookOf } from "./look.js";
import { measure } from "./measures.js";
import type { Slot, Viewer } from "./viewer.js";

/** Results of the image that is shown, at its own size. Masks are those of `gssl predict`. */
export const resultKinds = ["segmentation", "certain", "class", "uncertainty", "json"] as const;
export type ResultKind = (typeof resultKinds)[number];

const MOST_CODE = 65_535;

export async function resultFile(viewer: Viewer, slot: Slot, kind: ResultKind): Promise<File> {
  const { name, stem } = nameOf(viewer);
  const [image, maps] = [viewer.image.value!, slot.maps.value!];
  const { width, height } = image;
  const made = (contents: BlobPart, type: string, ending: string): File =>
    new File([contents], `${stem}.${ending}`, { type });
  if (kind === "json") return made(JSON.stringify(summaryOf(viewer, slot, name), null, 1), "application/json", "json");
  if (kind === "class") {
    const png = encode({ width, height, data: maps.classes, channels: 1, depth: 8 });
    return made(png as BlobPart, "image/png", "class.png");
  }
  if (kind === "uncertainty") {
    const factor = MOST_CODE / mostUncertain(slot);
    const codes = new Uint16Array(maps.score.length);
    for (let i = 0; i < codes.length; i++) {
      codes[i] = Math.min(MOST_CODE, Math.max(0, Math.round((1 - maps.score[i]!) * factor)));
    }
    const png = encode({ width, height, data: codes, channels: 1, depth: 16 });
    return made(png as BlobPart, "image/png", "uncertainty.png");
  }
  const canvas = painted(viewer, slot, kind);
  return made(await canvas.convertToBlob({ type: "image/png" }), "image/png", `${kind}.png`);
}

/** One view alone, at the size of the image. */
function painted(viewer: Viewer, slot: Slot, view: View): OffscreenCanvas {
  const compositor = new Compositor(new OffscreenCanvas(1, 1));
  compositor.show(viewer.image.value!, slot.maps.value!);
  compositor.draw({ ...lookOf(viewer, slot), left: view, right: view });
  return compositor.canvas as OffscreenCanvas;
}

/** The largest uncertainty, which has the largest code: 1 - cosine reaches 2, 1 - probability 1. */
const mostUncertain = ({ model }: Slot): number => 1 - (model.scoreRange?.[0] ?? 0);

function nameOf(viewer: Viewer): { name: string; stem: string } {
  const { name } = viewer.current.value!;
  return { name, stem: name.replace(/\.[a-z0-9]{2,5}$/i, "").replaceAll(/[^\w.-]+/g, "-") || "image" };
}

function summaryOf(viewer: Viewer, slot: Slot, name: string): unknown {
  const { model } = slot;
  const maps = slot.maps.value!;
  const { width, height } = viewer.image.value!;
  const gamma = viewer.gammaOf(slot);
  const { certain, classes } = measure(maps, gamma, model.classes.length);
  const { name: file, sha256, method, gamma: own, outOfDomainRule: rule } = model;
  return {
    image: name,
    ...{ width, height },
    computedAt: sizeSeen({ width, height }, model.height),
    model: { file, sha256, method, gamma: own },
    gamma,
    certain,
    outOfDomain: maps.distance === null ? null : { is: isOutOfDomain(maps.distance), distance: maps.distance, rule },
    uncertaintyStep: model.gamma === null ? null : mostUncertain(slot) / MOST_CODE,
    classes: model.classes.map(({ name: label }, k) => ({ name: label, ...classes[k]! })),
    runtime: viewer.backend.computing.value.title,
  };
}
