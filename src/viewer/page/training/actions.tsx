/// <reference lib="dom" />
import { save } from "../state/save.js";
import type { Phase, TrainingSession } from "./session.js";

/** Start, pause, begin again; and how far it is. */
export function Actions({ session }: { readonly session: TrainingSession }) {
  const phase = session.phase.value;
  const running = phase === "running";
  const [done, total] = [session.steps.value.length, session.total.value];
  return (
    <section class="actions" aria-label="Training">
      <div class="buttons">
        <button
          type="button"
          class="main"
          disabled={phase === "opening" || phase === "finished" || phase === "failed"}
          onClick={() => (running ? session.pause() : session.run())}
        >
          {running ? "Pause" : done > 0 ? "Go on" : "Start"}
        </button>
        <button
          type="button"
          disabled={phase === "opening" || (done === 0 && phase !== "failed")}
          onClick={() => session.restart()}
        >
          Begin again
        </button>
        <button type="button" disabled={done === 0} onClick={() => save(logFile(session))}>
          Save log
        </button>
      </div>
      <div class="far">
        <progress
          max={Math.max(1, total)}
          value={done}
          aria-label="Steps done"
          aria-valuetext={`${done} of ${total} steps`}
        />
        <p class="soft small number">{words(session)}</p>
      </div>
      <p class="unseen" role="status">
        {announced(phase, session)}
      </p>
    </section>
  );
}

/** The steps so far, in the format of a run's `log.jsonl`. */
function logFile({ steps }: TrainingSession): File {
  const lines = steps.value.map(({ step, measures }) => `${JSON.stringify({ step, ...measures })}\n`);
  return new File(lines, "log.jsonl", { type: "application/jsonl" });
}

/** What happens now, for the eye. */
function words({ progress, busy, phase, steps, total }: TrainingSession): string {
  const bytes = progress.value;
  if (bytes !== null) return `loading ${megabytes(bytes.received)} of ${megabytes(bytes.total)} MB`;
  if (busy.value !== null) return `${busy.value}…`;
  const done = steps.value.length;
  if (phase.value === "failed") return `stopped after ${done} steps`;
  if (phase.value === "finished") return `${done} steps done`;
  if (done === 0) return phase.value === "opening" ? "starting…" : `${total} steps, one to three minutes on a laptop`;
  const recent = steps.value.slice(-10);
  const seconds = recent.reduce((sum, { milliseconds }) => sum + milliseconds, 0) / recent.length / 1000;
  const left = seconds * (total.value - done);
  return `step ${done} of ${total} · ${seconds.toFixed(2)} s a step · ${left < 90 ? `${left.toFixed(0)} s` : `${(left / 60).toFixed(0)} min`} left`;
}

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1);

/** What a screen reader says: once for each change of the phase, not for each step. */
function announced(phase: Phase, { measured }: TrainingSession): string {
  const accuracy = (at: number): string => `${(100 * (measured.peek().at(at)?.accuracy ?? 0)).toFixed(1)} percent`;
  const sentences: Readonly<Record<Phase, string>> = {
    opening: "The training is being prepared.",
    waiting: `Ready to start. ${accuracy(0)} of the pixels are right before the training.`,
    running: "The training runs.",
    paused: "The training is paused.",
    finished: `The training is over. ${accuracy(-1)} of the pixels are right, ${accuracy(0)} were before it.`,
    failed: "The training failed.",
  };
  return sentences[phase];
}
