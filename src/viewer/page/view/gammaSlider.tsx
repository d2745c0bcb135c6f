import { rangeOf } from "../state/measures.js";
import type { Slot, Viewer } from "../state/viewer.js";

/** Pixels are certain where their score is at least γ. */
export function GammaSlider({ viewer, slot }: { readonly viewer: Viewer; readonly slot: Slot }) {
  const { model, gamma } = slot;
  const [least, most] = rangeOf(model, slot.maps.value);
  const value = viewer.gammaOf(slot);
  // The score of a baseline is its uncertainty with the sign turned.
  const told = (model.gamma === null ? -value : value).toFixed(3);
  const own = model.gamma;
  const moved = gamma.value !== null && gamma.value !== own;
  const id = `gamma-${model.sha256.slice(0, 8)}`;
  return (
    <div class="gamma">
      <label for={id}>{own === null ? "threshold" : "γ"}</label>
      <input
        id={id}
        type="range"
        min={least}
        max={most}
        step={(most - least) / 1000}
        value={value}
        style={{ "--share": `${(100 * (value - least)) / (most - least)}%` }}
        aria-valuetext={own === null ? `certain up to an uncertainty of ${told}` : `certain from a score of ${told}`}
        onInput={({ currentTarget }) => (gamma.value = Number(currentTarget.value))}
      />
      <output class="number" for={id}>
        {told}
      </output>
      <button type="button" disabled={!moved} onClick={() => (gamma.value = null)}>
        {own === null ? "reset" : `model's ${own.toFixed(3)}`}
      </button>
    </div>
  );
}
