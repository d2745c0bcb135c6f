import { type HeatScale, heatScales } from "../draw/compositor.js";
import type { Viewer } from "../state/viewer.js";

const heatTitles: Readonly<Record<HeatScale, string>> = {
  cividis: "Colour-blind safe",
  turbo: "Rainbow, more levels",
};

/** How images are painted. */
export function Controls({ viewer }: { readonly viewer: Viewer }) {
  const { opacity, heat } = viewer;
  const stops = heatScales[heat.value].map((colour) => `rgb(${colour.join(" ")})`).join(", ");
  return (
    <section class="controls">
      <h2>Display</h2>
      <label>
        Class colours
        <input
          type="range"
          min="0.2"
          max="1"
          step="0.05"
          value={opacity.value}
          onInput={({ currentTarget }) => (opacity.value = Number(currentTarget.value))}
        />
      </label>
      <label>
        Uncertainty
        <select value={heat.value} onChange={({ currentTarget }) => (heat.value = currentTarget.value as HeatScale)}>
          {Object.entries(heatTitles).map(([name, title]) => (
            <option key={name} value={name}>
              {title}
            </option>
          ))}
        </select>
      </label>
      <p class="scale soft small">
        certain <span style={{ background: `linear-gradient(90deg, ${stops})` }} aria-hidden="true" /> uncertain
      </p>
    </section>
  );
}
