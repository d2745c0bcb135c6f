/// <reference lib="dom" />
import type { Dashboard, Range } from "../state/dashboard.js";

const ranges: Readonly<Record<Range, string>> = { all: "all", half: "the last half", tenth: "the last tenth" };

/** What holds for every plot. */
export function Controls({ dashboard }: { readonly dashboard: Dashboard }) {
  const { smoothing, range } = dashboard;
  return (
    <div class="controls small">
      <h2>Curves</h2>
      <label>
        Smoothing
        <input
          type="range"
          min="0"
          max="0.99"
          step="0.01"
          value={smoothing}
          onInput={({ currentTarget }) => (smoothing.value = Number(currentTarget.value))}
        />
        <output class="number">{smoothing.value.toFixed(2)}</output>
      </label>
      <label>
        Steps
        <select value={range} onChange={({ currentTarget }) => (range.value = currentTarget.value as Range)}>
          {Object.entries(ranges).map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}
