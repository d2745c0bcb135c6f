import type { ExampleOfMethod, ReportData, ReportDataset, ReportExample, ReportMethod } from "../reportData.js";

export type LeftPane = "image" | "labels" | "uncertainty" | "mistakes";

/** A class taken for another one. */
export interface Confusion {
  readonly label: number;
  readonly predicted: number;
}

/** What the reader has chosen. Everything on the page is drawn from it, and listeners are called when it changes. */
export class Choice {
  readonly report: ReportData;
  dataset = 0;
  method = 0;
  /** Share of pixels to keep; each method takes the nearest of its levels. */
  share = 1;
  /** A level asked for by name: levels that keep the same share cannot be told apart by it. */
  pinned: { readonly method: number; readonly level: number } | null = null;
  opacity = 0.7;
  left: LeftPane = "image";
  sort = "accuracy";
  readonly hidden = new Set<number>();
  /** One confusion to look at: images with most of it come first. */
  focus: Confusion | null = null;
  readonly #listeners: (() => void)[] = [];

  constructor(report: ReportData) {
    this.report = report;
    this.enter(0);
  }

  get place(): ReportDataset {
    return this.report.datasets[this.dataset]!;
  }

  get current(): ReportMethod {
    return this.place.methods[this.method]!;
  }

  /** Go to a data set: at the first method that has a threshold of its own, or else the last, at its first mark. */
  enter(dataset: number): void {
    this.dataset = dataset;
    const { methods } = this.place;
    const own = methods.findIndex(({ marks }) => marks.some(({ name }) => name === "γ"));
    this.method = own < 0 ? methods.length - 1 : own;
    this.hidden.clear();
    this.focus = null;
    const level = this.current.marks[0]?.level ?? this.current.levels.certain.length - 1;
    this.pin(this.method, level);
  }

  /** Choose a method and one of its levels. */
  pin(method: number, level: number): void {
    this.method = method;
    this.pinned = { method, level };
    this.share = this.current.levels.certain[level] ?? 1;
  }

  /** The level of a method that keeps the share closest to the one asked for; of equals, the more generous. */
  levelOf(method: ReportMethod): number {
    if (this.pinned !== null && this.place.methods[this.pinned.method] === method) return this.pinned.level;
    const { certain } = method.levels;
    let at = 0;
    for (let k = 1; k < certain.length; k++) {
      if (Math.abs(certain[k]! - this.share) <= Math.abs(certain[at]! - this.share)) at = k;
    }
    return at;
  }

  imagesOf(example: ReportExample): ExampleOfMethod | null {
    return example.methods[this.method] ?? null;
  }

  /** Pixels of an image that the chosen method confused in this way. */
  confusedIn(example: ReportExample, at: Confusion): number {
    const found = this.imagesOf(example)?.confused.find(
      ([label, predicted]) => label === at.label && predicted === at.predicted,
    );
    return found?.[2] ?? 0;
  }

  change(change: Partial<Pick<Choice, "method" | "share" | "opacity" | "left" | "sort" | "focus">>): void {
    Object.assign(this, change);
    this.announce();
  }

  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  announce(): void {
    for (const listener of this.#listeners) listener();
  }
}
