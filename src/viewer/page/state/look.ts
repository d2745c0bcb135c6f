import type { Look } from "../draw/compositor.js";
import { rangeOf } from "./measures.js";
import type { Slot, Viewer } from "./viewer.js";

/** What a model's canvas shows now. The middle of the uncertainty scale is γ, as in the files of `gssl predict`. */
export function lookOf(viewer: Viewer, slot: Slot): Look {
  const gamma = viewer.gammaOf(slot);
  const [, most] = rangeOf(slot.model, slot.maps.value);
  return {
    left: viewer.left.value,
    right: viewer.right.value,
    wipe: viewer.wipe.value,
    gamma,
    scale: [gamma, Math.max(1e-6, most - gamma)],
    opacity: viewer.opacity.value,
    heat: viewer.heat.value,
    colours: slot.model.classes.map(({ colour }) => colour),
    hidden: viewer.hidden.value,
  };
}
