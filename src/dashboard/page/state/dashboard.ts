/// <reference lib="dom" />
import { batch, type Signal, signal } from "@preact/signals";
import type { RunStatus, Snapshot } from "../../protocol.js";
import type { DrawnRun } from "./plots.js";

/** Which steps are drawn. */
export type Range = "all" | "half" | "tenth";

/** What the visitor looks at: everything on the page is drawn from it. */
export class Dashboard {
  readonly runs: Signal<readonly RunStatus[]> = signal([]);
  /** Their curves. Only these make plots be drawn again: how a run is doing changes every second. */
  readonly drawn: Signal<readonly DrawnRun[]> = signal([]);
  /** "ended": the server said so; "lost": it exited unexpectedly. */
  readonly link: Signal<"opening" | "open" | "lost" | "ended"> = signal("opening");
  /** Indices of runs that are not drawn. */
  readonly hidden: Signal<ReadonlySet<number>> = signal(new Set());
  /** Share of the past in each point of a curve, 0 to 0.99; TensorBoard's at first. */
  readonly smoothing = signal(0.6);
  readonly range: Signal<Range> = signal("all");
  /** The step under the pointer, in every plot. */
  readonly pointed: Signal<number | null> = signal(null);

  /** Follow the server's stream; the browser connects again by itself when it breaks off. */
  start(): void {
    const stream = new EventSource("events");
    stream.onmessage = ({ data }: MessageEvent<string>) => {
      const snapshot = JSON.parse(data) as Snapshot;
      if (snapshot.ending) stream.close();
      batch(() => this.#take(snapshot));
    };
    stream.onerror = () => {
      this.link.value = "lost";
    };
  }

  #take({ runs, curves, ending }: Snapshot): void {
    this.runs.value = runs;
    this.link.value = ending ? "ended" : "open";
    if (Object.keys(curves).length === 0) return;
    this.drawn.value = runs.map(({ name, facts }, index) => ({
      ...{ name, index, stages: facts?.stages },
      curves: curves[index] ?? this.drawn.value[index]?.curves ?? {},
    }));
  }

  toggle(run: number): void {
    const hidden = new Set(this.hidden.value);
    if (!hidden.delete(run)) hidden.add(run);
    this.hidden.value = hidden;
  }
}
