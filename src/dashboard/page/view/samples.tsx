/// <reference lib="dom" />
import { useSignal } from "@preact/signals";
import type { RunStatus } from "../../protocol.js";
import type { Dashboard } from "../state/dashboard.js";
import { grouped } from "../state/words.js";

/** What the networks predict for a few fixed images, and predicted before. */
export function Samples({ dashboard }: { readonly dashboard: Dashboard }) {
  const { runs, hidden } = dashboard;
  const shown = [...runs.value.entries()].filter(([index, run]) => !hidden.value.has(index) && run.samples.length > 0);
  if (shown.length === 0) return null;
  return (
    <section class="samples" aria-labelledby="samples-head">
      <h2 id="samples-head">Sample predictions</h2>
      <p class="soft small">
        Each row is an image, its segmentation, and what of it is certain, once there is a γ. The slider goes back.
      </p>
      <div class="sheets">
        {shown.map(([index, run]) => (
          <Sheet key={index} run={run} index={index} named={runs.value.length > 1} />
        ))}
      </div>
    </section>
  );
}

interface Props {
  readonly run: RunStatus;
  readonly index: number;
  readonly named: boolean;
}

function Sheet({ run: { name, samples }, index, named }: Props) {
  /** A step that was chosen; null follows the training. */
  const chosen = useSignal<number | null>(null);
  const place = chosen.value === null ? samples.length - 1 : Math.max(0, samples.indexOf(chosen.value));
  const step = samples[place]!;
  const choose = (at: number): void => {
    chosen.value = at === samples.length - 1 ? null : samples[at]!;
  };
  return (
    <figure class="sheet">
      <figcaption class="small">
        {named && <b>{name} </b>}
        after step {grouped(step)}
      </figcaption>
      <img src={`runs/${index}/samples/${step}`} alt={`predictions of ${name} after step ${step}`} />
      {samples.length > 1 && (
        <input
          type="range"
          min="0"
          max={samples.length - 1}
          value={place}
          aria-label={`moment of the predictions of ${name}`}
          aria-valuetext={`after step ${step}`}
          onInput={({ currentTarget }) => choose(Number(currentTarget.value))}
        />
      )}
    </figure>
  );
}
