/** What the server tells the page: plain data. */

/**
 * waiting: nothing was trained here yet · preparing: a training holds the folder and has not logged a step · running · finished ·
 * stopped: asked to, everything is saved · ended: by an error, with steps that are not saved · killed: its process exited unexpectedly ·
 * diverged: a step was not finite · elsewhere: held on another machine · unknown: nothing says whether it runs.
 */
export type RunState =
  | "waiting"
  | "preparing"
  | "running"
  | "finished"
  | "stopped"
  | "ended"
  | "killed"
  | "diverged"
  | "elsewhere"
  | "unknown";

export interface RunStatus {
  /** Short, and another for each run. */
  readonly name: string;
  readonly folder: string;
  readonly state: RunState;
  /** What the state means here. */
  readonly message: string;
  /** What to type next. */
  readonly command: string | null;
  /** Things that are wrong, but do not keep the rest from being shown. */
  readonly warnings: readonly string[];
  /** The last step in the log, of how many; null where it is not known. */
  readonly step: number | null;
  readonly steps: number | null;
  readonly stage: string | null;
  /** Seconds since the last line was written. */
  readonly idle: number | null;
  /** While it runs, once two steps were seen. */
  readonly imagesPerSecond: number | null;
  readonly secondsLeft: number | null;
  /** The last value of each logged number. */
  readonly latest: Readonly<Record<string, number>>;
  /** Share of the log that has been read. */
  readonly read: number;
  /** Another one whenever its curves are others. */
  readonly revision: string;
  /** Steps of which there are sample predictions, in order. */
  readonly samples: readonly number[];
  /** What is trained; null where the folder does not say. */
  readonly facts: RunFacts | null;
}

export interface RunFacts {
  readonly method: string;
  readonly source: string;
  readonly targets: readonly string[];
  readonly seed: number;
  readonly command: string | null;
  readonly started: string | null;
  readonly stages: readonly { readonly name: string; readonly steps: number }[];
}

/** An event of the stream, about once a second. */
export interface Snapshot {
  readonly runs: readonly RunStatus[];
  /** Of runs whose revision is another than in the snapshot before, by their place in the list. */
  readonly curves: Readonly<Record<number, Curves>>;
  /** The server ends after this one. */
  readonly ending: boolean;
}

/** A logged number, thinned for drawing: each entry stands for some steps in a row, with their mean and extremes. */
export interface Curve {
  /** The middle of those steps. */
  readonly steps: readonly number[];
  readonly mean: readonly number[];
  readonly low: readonly number[];
  readonly high: readonly number[];
}

export type Curves = Readonly<Record<string, Curve>>;
