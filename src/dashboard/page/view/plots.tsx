/// <reference lib="dom" />
import { useSignal } from "@preact/signals";
import type { Dashboard } from "../state/dashboard.js";
import { isFirst, livePlots } from "../state/plots.js";
import { LiveChart } from "./liveChart.js";
import { Name } from "./name.js";

const shares = { all: 1, half: 0.5, tenth: 0.1 } as const;

/** All plots of the runs that are shown. */
export function Plots({ dashboard }: { readonly dashboard: Dashboard }) {
  const { drawn, hidden, smoothing, range, pointed } = dashboard;
  const unfolded = useSignal(false);
  const shown = drawn.value.filter(({ index }) => !hidden.value.has(index));
  const plots = livePlots(shown, { smoothing: smoothing.value, share: shares[range.value] });
  const [first, more] = [plots.filter(({ key }) => isFirst(key)), plots.filter(({ key }) => !isFirst(key))];
  const figures = (some: typeof plots) => (
    <div class="plots">
      {some.map(({ key, plot }) => (
        <LiveChart key={key} plot={plot} pointed={pointed} />
      ))}
    </div>
  );
  if (plots.length === 0) return <p class="soft empty">Curves begin with the first step.</p>;
  return (
    <>
      {figures(first)}
      {more.length > 0 && (
        <details class="more" onToggle={({ currentTarget }) => (unfolded.value = currentTarget.open)}>
          <summary>
            {more.length} more: <Name of={more.map(({ plot }) => plot.title).join(", ")} />
          </summary>
          {unfolded.value && figures(more)}
        </details>
      )}
    </>
  );
}
