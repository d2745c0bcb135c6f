/** A stage as far as its time matters. */
interface TimedStage {
  readonly name: string;
  readonly steps: number;
  /** In each batch. */
  readonly images: number;
}

interface Place {
  readonly index: number;
  /** Its last step, counted over all stages. */
  readonly to: number;
}

/** The stage of a step; the last one beyond all of them. */
export function stageAt(step: number, stages: readonly TimedStage[]): Place {
  let [index, to] = [0, stages[0]?.steps ?? 0];
  while (step > to && index < stages.length - 1) to += stages[++index]!.steps;
  return { index, to };
}

/** The pace is the mean over so many milliseconds: long enough to be steady, short enough to follow a change. */
const WINDOW = 60_000;

/**
 * How fast a training goes, from the moments at which its log was seen to grow. The log itself has no times: it is the same, byte for byte,
 * however often a run was interrupted.
 */
export class Pace {
  #seen: { readonly step: number; readonly at: number }[] = [];

  restart(): void {
    this.#seen = [];
  }

  /** That a step was the last one in the log, which was written at `at` (ms). `from` is the first step of its stage: others took another time. */
  note(step: number, at: number, from: number): void {
    const last = this.#seen.at(-1);
    if (last !== undefined && step === last.step) return;
    if (last !== undefined && (step < last.step || at < last.at)) this.#seen = [];
    this.#seen.push({ step, at });
    this.#seen = this.#seen.filter((one) => one.step >= from);
    while (this.#seen.length > 2 && this.#seen[1]!.at < at - WINDOW) this.#seen.shift();
  }

  /** Undefined before two steps were seen. */
  get secondsPerStep(): number | undefined {
    const [first, last] = [this.#seen[0], this.#seen.at(-1)];
    if (first === undefined || last === undefined || first.step === last.step) return undefined;
    return (last.at - first.at) / 1000 / (last.step - first.step);
  }
}

/** Seconds left after a step; later stages are taken to need as long for an image as this one. */
export function secondsLeft(step: number, stages: readonly TimedStage[], secondsPerStep: number): number {
  const { index, to } = stageAt(step, stages);
  const own = stages[index]?.images ?? 1;
  const later = stages.slice(index + 1).reduce((sum, { steps, images }) => sum + (steps * images) / own, 0);
  return Math.max(0, to - step + later) * secondsPerStep;
}
