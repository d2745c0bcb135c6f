/// <reference lib="dom" />
import type { RunStatus } from "../../protocol.js";
import type { Dashboard } from "../state/dashboard.js";
import { duration, grouped, percent, short } from "../state/words.js";
import { Swatch } from "./swatch.js";

interface Props {
  readonly run: RunStatus;
  readonly index: number;
  readonly dashboard: Dashboard;
}

const troubled = new Set(["ended", "killed", "diverged"]);

/** How a run is doing, in words. */
export function RunCard({ run, index, dashboard }: Props) {
  const { name, state, message, command, warnings, step, steps, facts } = run;
  const several = dashboard.runs.value.length > 1;
  const shown = !dashboard.hidden.value.has(index);
  return (
    <section class="card" aria-label={name} data-state={state}>
      <div class="head">
        <h2>
          {several ? (
            <button
              type="button"
              aria-pressed={shown}
              title="show or hide its curves"
              onClick={() => dashboard.toggle(index)}
            >
              <Swatch run={index} />
              {name}
            </button>
          ) : (
            name
          )}
        </h2>
        <span class={`state ${troubled.has(state) ? "flag" : ""}`}>{state}</span>
      </div>
      <p class="soft small message">{message}</p>
      {command !== null && <code class="small">{command}</code>}
      {warnings.map((text) => (
        <p key={text} class="flag small">
          {text}
        </p>
      ))}
      {run.read < 1 && <p class="small">reading the log: {percent(run.read)}</p>}
      {step !== null && steps !== null && (
        <progress max={steps} value={Math.min(step, steps)} aria-label={`steps of ${name}`} />
      )}
      <dl class="numbers">
        {numbersOf(run).map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd class="number">{value}</dd>
          </div>
        ))}
      </dl>
      {facts !== null && (
        <details class="small">
          <summary>what is trained</summary>
          <dl>
            <dt>method</dt>
            <dd>{facts.method}</dd>
            <dt>source</dt>
            <dd>{facts.source}</dd>
            {facts.targets.length > 0 && <dt>target</dt>}
            {facts.targets.length > 0 && <dd>{facts.targets.join(", ")}</dd>}
            <dt>stages</dt>
            <dd>{facts.stages.map((one) => `${one.name} ${grouped(one.steps)}`).join(", ")}</dd>
            <dt>seed</dt>
            <dd>{facts.seed}</dd>
            <dt>folder</dt>
            <dd>{run.folder}</dd>
            {facts.started !== null && <dt>begun</dt>}
            {facts.started !== null && <dd>{facts.started.slice(0, 16).replace("T", " ")} UTC</dd>}
          </dl>
          {facts.command !== null && <code>{facts.command}</code>}
        </details>
      )}
    </section>
  );
}

/** The numbers a person follows. */
function numbersOf({
  step,
  steps,
  stage,
  latest,
  state,
  idle,
  imagesPerSecond,
  secondsLeft,
}: RunStatus): [string, string][] {
  const live = state === "running" || state === "elsewhere" || state === "unknown";
  const value = (label: string, name: string, say: (value: number) => string): [string, string][] =>
    latest[name] === undefined ? [] : [[label, say(latest[name])]];
  const rows: ([string, string] | null)[] = [
    step === null ? null : ["step", steps === null ? grouped(step) : `${grouped(step)} of ${grouped(steps)}`],
    stage === null ? null : ["stage", stage],
    secondsLeft === null ? null : ["time left", duration(secondsLeft)],
    imagesPerSecond === null ? null : ["images/s", short(imagesPerSecond)],
    idle === null ? null : ["last line", live && idle < 2 ? "now" : `${duration(idle)} ago`],
    ...value("loss", "loss", short),
    ...value("γ", "gamma", (gamma) => gamma.toFixed(3)),
    ...value("certain", "certain", percent),
    ...value("consistent", "consistent", percent),
    ...value(
      "accuracy",
      latest["validation.prototypes.accuracy"] === undefined
        ? "validation.head.accuracy"
        : "validation.prototypes.accuracy",
      (accuracy) => accuracy.toFixed(3),
    ),
  ];
  return rows.filter((row) => row !== null);
}
