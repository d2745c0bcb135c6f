/// <reference lib="dom" />
import { isFirst, livePlots } from "../plots.js";
import type { Dashboard } from "../state.js";
import { LiveChart } from "./liveChart.js";

const shares = { all: 1, half: 0.5, tenth: 0.1 } as const;

/** All plots of the runs that are shown. */
export function Plots({ dashboard }: { readonly dashboard: Dashboard }) {
  const { runs, curves, shown, smoothing, range } = dashboard;
  const drawn = shown.value.map((index) => {
    const { name, facts } = runs.value[index]!;
    return { name, index, curves: curves.value[index] ?? {}, stages: facts?.stages };
  });
  const plots = livePlots(drawn, { smoothing: smoothing.value, share: shares[range.value] });
  const [first, more] = [plots.filter(({ key }) => isFirst(key)), plots.filter(({ key }) => !isFirst(key))];
  const figures = (some: typeof plots) => (
    <div class="plots">
      {some.map(({ key, plot }) => (
        <LiveChart key={key} plot={plot} pointed={dashboard.pointed} />
      ))}
    </div>
  );
  if (plots.length === 0) return <p class="soft empty">Curves begin with the first step.</p>;
  return (
    <>
      {figures(first)}
      {more.length > 0 && (
        <details class="more">
          <summary>
            {more.length} more: {more.map(({ plot }) => plot.title).join(", ")}
          </summary>
          {figures(more)}
        </details>
      )}
    </>
  );
}
