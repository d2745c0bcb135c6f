/// <reference lib="dom" />
import type { Dashboard } from "../state/dashboard.js";
import { Controls } from "./controls.js";
import { Plots } from "./plots.js";
import { RunCard } from "./runCard.js";
import { Samples } from "./samples.js";

export function App({ dashboard }: { readonly dashboard: Dashboard }) {
  const runs = dashboard.runs.value;
  const [first] = runs;
  document.title = runs.length === 1 && first !== undefined ? `${first.name}: ${first.state}` : "Training";
  return (
    <div class="page">
      <a class="skip" href="#curves">
        Skip to the curves
      </a>
      <header>
        <h1>Training</h1>
        <Link dashboard={dashboard} />
      </header>
      <main>
        <div class="cards">
          {runs.map((run, i) => (
            <RunCard key={run.folder} run={run} index={i} dashboard={dashboard} />
          ))}
        </div>
        <div id="curves" tabIndex={-1}>
          <Controls dashboard={dashboard} />
          <Plots dashboard={dashboard} />
        </div>
        <Samples dashboard={dashboard} />
      </main>
    </div>
  );
}

/** Whether what is shown is still true. */
function Link({ dashboard }: { readonly dashboard: Dashboard }) {
  const link = dashboard.link.value;
  const folders = dashboard.runs.value.map(({ folder }) => folder).join(" ");
  const [lamp, words] = {
    opening: ["", "connecting"],
    open: ["live", "live"],
    lost: ["lost", "no connection to the dashboard; trying again"],
    ended: ["", "the dashboard has ended; this is how it was"],
  }[link] as [string, string];
  return (
    <p class="link small" role="status">
      <span class={`lamp ${lamp}`} aria-hidden="true" />
      {words}
      {(link === "lost" || link === "ended") && folders !== "" && <code>gssl watch {folders}</code>}
    </p>
  );
}
