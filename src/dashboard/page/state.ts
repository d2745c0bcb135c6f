/// <reference lib="dom" />
import { batch, computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { Curves, RunStatus, Snapshot } from "../protocol.js";

/** Which steps are drawn. */
export type Range = "all" | "half" | "tenth";

/** What the visitor looks at: everything on the page is drawn from it. */
export class Dashboard {
  readonly runs: Signal<readonly RunStatus[]> = signal([]);
  readonly curves: Signal<readonly Curves[]> = signal([]);
  /** "ended": the server said so; "lost": it is gone without a word. */
  readonly link: Signal<"opening" | "open" | "lost" | "ended"> = signal("opening");
  /** Indices of runs that are not drawn. */
  readonly hidden: Signal<ReadonlySet<number>> = signal(new Set());
  /** Share of the past in each point of a curve, 0 to 0.99; TensorBoard's at first. */
  readonly smoothing = signal(0.6);
  readonly range: Signal<Range> = signal("all");
  /** The step under the pointer, in every plot. */
  readonly pointed: Signal<number | null> = signal(null);
  readonly shown: ReadonlySignal<readonly number[]> = computed(() =>
    this.runs.value.map((_, i) => i).filter((i) => !this.hidden.value.has(i)),
  );
  /** Follow the server's stream; the browser connects again by itself when it breaks off. */
  start(): void {
    const stream = new EventSource("events");
    stream.onmessage = ({ data }: MessageEvent<string>) => {
      const { runs, curves, ending } = JSON.parse(data) as Snapshot;
      if (ending) stream.close();
      batch(() => {
        this.curves.value = runs.map((_, i) => curves[i] ?? this.curves.value[i] ?? {});
        this.runs.value = runs;
        this.link.value = ending ? "ended" : "open";
      });
    };
    stream.onerror = () => {
      this.link.value = "lost";
    };
  }

  toggle(run: number): void {
    const hidden = new Set(this.hidden.value);
    if (!hidden.delete(run)) hidden.add(run);
    this.hidden.value = hidden;
  }
}
