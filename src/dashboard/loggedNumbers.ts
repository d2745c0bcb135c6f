import { parseLine } from "./logLine.js";
import type { LogReader } from "./logTail.js";
import type { Curves } from "./protocol.js";
import { ThinnedSeries } from "./thinnedSeries.js";

/** Names in one log; a log of ours has about twenty. */
const MOST_NAMES = 200;

/** What a log says, kept small however long it is. */
export class LoggedNumbers implements LogReader {
  #series = new Map<string, ThinnedSeries>();
  #latest = new Map<string, number>();
  #step: number | null = null;
  /** Lines that are no JSON: how many, and the first. */
  #damaged: { count: number; first: number } | null = null;
  /** The first number that was not finite. */
  #lost: { readonly name: string; readonly step: number } | null = null;
  /** How often the log was begun again, and lines since then. */
  #begun = 0;
  #lines = 0;

  restart(): void {
    this.#series = new Map();
    this.#latest = new Map();
    this.#step = null;
    this.#damaged = null;
    this.#lost = null;
    this.#begun++;
    this.#lines = 0;
  }

  line(text: string, number: number): void {
    this.#lines++;
    if (text.trim() === "") return;
    const line = parseLine(text);
    if (line === undefined)
      this.#damaged = { count: (this.#damaged?.count ?? 0) + 1, first: this.#damaged?.first ?? number };
    // A step that comes again has the numbers that it had.
    if (line === undefined || line === null || line.step < (this.#step ?? 0)) return;
    const { step, numbers, lost } = line;
    this.#step = step;
    if (lost[0] !== undefined) this.#lost ??= { name: lost[0], step };
    for (const name of lost) this.#latest.delete(name);
    for (const [name, value] of numbers) {
      if (!this.#series.has(name) && this.#series.size >= MOST_NAMES) continue;
      const series = this.#series.get(name) ?? new ThinnedSeries();
      series.add(step, value);
      this.#series.set(name, series);
      this.#latest.set(name, value);
    }
  }

  /** The last one; null where there is none. */
  get step(): number | null {
    return this.#step;
  }

  get latest(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#latest);
  }

  /** Another text whenever the curves are others. */
  get revision(): string {
    return `${this.#begun}-${this.#lines}`;
  }

  get warnings(): string[] {
    const [damaged, lost] = [this.#damaged, this.#lost];
    const lines = damaged?.count === 1 ? "line" : "lines";
    return [
      ...(damaged === null
        ? []
        : [`${damaged.count} ${lines} of the log cannot be read, the first is line ${damaged.first}`]),
      ...(lost === null ? [] : [`${lost.name} is not a number at step ${lost.step}`]),
    ];
  }

  curves(): Curves {
    return Object.fromEntries([...this.#series].map(([name, series]) => [name, series.curve()]));
  }
}
