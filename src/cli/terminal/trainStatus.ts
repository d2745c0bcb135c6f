import type { TrainEvent } from "../../index.js";
import { terminalText } from "../../platform/print.js";
import { printable } from "../../platform/printable.js";

export interface Screen {
  /** A line that stays. */
  line(text: string): void;
  /** A line that the next one replaces; does nothing where lines cannot be replaced. */
  passing(text: string): void;
  /** Whether lines can be replaced. */
  readonly live: boolean;
  /** Characters that fit into a line. */
  readonly columns: number;
}

/** A terminal is redrawn; a file or pipe gets plain lines and no control codes. */
export function screenOn(stream: NodeJS.WriteStream): Screen {
  const live = stream.isTTY === true;
  const clear = live ? "\r\u001b[2K" : "";
  return {
    live,
    get columns() {
      return live ? Math.max(20, stream.columns - 1) : Number.POSITIVE_INFINITY;
    },
    line: (text) => void stream.write(`${clear}${terminalText(text)}\n`),
    passing(text) {
      if (live) stream.write(`${clear}${printable(text).slice(0, this.columns)}`);
    },
  };
}

const percent = (value: number): string => `${(100 * value).toFixed(0)} %`;

/** Fewest and most characters of the bar, and how many of a line are for the rest. */
const [SHORTEST, LONGEST, REST] = [5, 20, 80];

/** How far it is, as wide as the line has room for. */
function bar(share: number, columns: number): string {
  const width = Math.min(LONGEST, Math.max(SHORTEST, columns - REST));
  const full = Math.floor(width * share);
  return `${"█".repeat(full)}${"░".repeat(width - full)} `;
}

/** Measurements a person follows, most important first: where a line is too short for all, the last are left out. */
const shown: Readonly<Record<string, (value: number) => string>> = {
  certain: (value) => `certain ${percent(value)}`,
  consistent: (value) => `consistent ${percent(value)}`,
  loss: (value) => `loss ${value.toFixed(3)}`,
  gamma: (value) => `γ ${value.toFixed(2)}`,
  "loss.supervised": (value) => `supervised ${value.toFixed(2)}`,
  "loss.consistency": (value) => `consistency ${value.toFixed(2)}`,
  "loss.uniformity": (value) => `uniformity ${value.toFixed(2)}`,
  "loss.prototype": (value) => `prototypes ${value.toFixed(2)}`,
};

/** A note, with its details where they are asked for. */
export const noteText = ({ message, details = [] }: NoteEvent, verbose: boolean): string =>
  [message, ...(verbose ? details : [])].join("\n  ");

/** What the loss does where a stage begins. */
function beginning(stage: string, before: string): string {
  if (stage.startsWith("extension")) return "; the optimiser starts afresh";
  return before === "pretraining" ? "; new loss terms: expect a jump" : "";
}

/** Seconds between lines where the status cannot be redrawn. */
const PLAIN_PAUSE = 30;

/** Steps whose mean duration is the pace: enough to be steady, few enough to follow a change. */
const PACE_STEPS = 20;

interface StatusOptions {
  /** Of a network that is trained beside others; its stage is named otherwise. */
  readonly name?: string | undefined;
  /** With the details of notes. */
  readonly verbose?: boolean | undefined;
  /** Seconds. */
  readonly now?: () => number;
}

type NoteEvent = Extract<TrainEvent, { kind: "note" }>;
type StepEvent = Extract<TrainEvent, { kind: "step" }>;

/** Tells a person how a training is going: one status line on a terminal, a line now and then elsewhere. */
export class TrainStatus {
  readonly #screen: Screen;
  readonly #name: string | undefined;
  readonly #verbose: boolean;
  readonly #now: () => number;
  #steps = 0;
  #stages: Extract<TrainEvent, { kind: "started" }>["stages"] = [];
  /** The last steps of this stage, with the time at which they were over. The first of a process also warms everything up. */
  #recent: { readonly step: number; readonly at: number }[] = [];
  #last: StepEvent | undefined;
  /** What it does since then that is no step. */
  #busy: string | undefined;
  #told = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  constructor(screen: Screen, { name, verbose = false, now = () => performance.now() / 1000 }: StatusOptions = {}) {
    this.#screen = screen;
    this.#name = name;
    this.#verbose = verbose;
    this.#now = now;
  }

  show(event: TrainEvent): void {
    if (event.kind === "note") this.#screen.line(noteText(event, this.#verbose));
    if (event.kind === "step") this.#step(event);
    if (event.kind === "busy") {
      this.#busy = event.what;
      this.#screen.passing(this.#line());
    }
    if (event.kind === "started") {
      this.#steps = event.steps;
      this.#stages = event.stages;
      if (event.done > 0) this.#screen.line(`going on after step ${event.done} of ${event.steps}`);
      if (event.done < event.steps) this.#sayStage(event.done + 1);
      // A step may take a minute: the time left goes on all the same.
      if (this.#screen.live) this.#timer = setInterval(() => this.tick(), 1000).unref();
    }
    if (event.kind === "validated") {
      const said = Object.entries(event.validations).map(
        ([branch, { accuracy, meanIou, auroc }]) =>
          `${branch} accuracy ${accuracy.toFixed(3)}, mean IoU ${meanIou.toFixed(3)}, AUROC ${auroc?.toFixed(3) ?? "–"}`,
      );
      this.#screen.line(`step ${event.step}  validation: ${said.join("; ")}`);
    }
    if (event.kind === "finished" || event.kind === "stopped") this.close();
  }

  /** Draw the line again, with the time that has passed since. */
  tick(): void {
    if (this.#last !== undefined) this.#screen.passing(this.#line());
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #step(event: StepEvent): void {
    const { step } = event;
    const last = this.#last;
    if (last !== undefined && this.#placeOf(step).index !== this.#placeOf(last.step).index) {
      this.#recent = [];
      this.#sayStage(step);
    }
    this.#last = event;
    this.#busy = undefined;
    this.#recent.push({ step, at: this.#now() });
    if (this.#recent.length > PACE_STEPS + 1) this.#recent.shift();
    const line = this.#line();
    this.#screen.passing(line);
    const due = event.seconds - this.#told >= PLAIN_PAUSE || step === this.#steps;
    if (due && !this.#screen.live) {
      this.#told = event.seconds;
      this.#screen.line(line);
    }
  }

  /** The stage of a step, from 1, and the first and last step of it. */
  #placeOf(step: number): { readonly index: number; readonly from: number; readonly to: number } {
    let [index, to] = [0, this.#stages[0]?.steps ?? this.#steps];
    while (step > to && index < this.#stages.length - 1) to += this.#stages[++index]!.steps;
    return { index, from: to - (this.#stages[index]?.steps ?? this.#steps) + 1, to };
  }

  #sayStage(step: number): void {
    if (this.#stages.length < 2) return;
    const { index, from, to } = this.#placeOf(step);
    const { name } = this.#stages[index]!;
    const remark = index === 0 || step > from ? "" : beginning(name, this.#stages[index - 1]!.name);
    this.#screen.line(`stage ${index + 1} of ${this.#stages.length}: ${name}, steps ${from} to ${to}${remark}`);
  }

  /** Seconds a step of this stage takes; undefined before the second. */
  get #pace(): number | undefined {
    const [first, last] = [this.#recent[0], this.#recent.at(-1)];
    return first === undefined || last === undefined || last.step === first.step
      ? undefined
      : (last.at - first.at) / (last.step - first.step);
  }

  /** Seconds left from now; later stages are taken to need as long for an image as this one. */
  #left(step: number, pace: number): number {
    const { index, to } = this.#placeOf(step);
    const own = this.#stages[index]?.images ?? 1;
    const later = this.#stages.slice(index + 1).reduce((sum, { steps, images }) => sum + (steps * images) / own, 0);
    const since = this.#now() - (this.#recent.at(-1)?.at ?? 0);
    return Math.max(0, (to - step + later) * pace - since);
  }

  #line(): string {
    const busy = this.#busy;
    if (this.#last === undefined) return busy ?? "";
    const { step, seconds, waited, measures, images } = this.#last;
    const pace = this.#pace;
    const name = this.#name ?? this.#stages[this.#placeOf(step).index]?.name ?? "training";
    const drawn = this.#screen.live ? bar(step / this.#steps, this.#screen.columns) : "";
    const parts = [
      `${name} ${drawn}${step}/${this.#steps}`,
      ...(pace === undefined ? [] : [`ETA ${duration(this.#left(step, pace))}`]),
      ...(busy === undefined ? [] : [busy]),
      ...Object.entries(shown).flatMap(([name, say]) => (measures[name] === undefined ? [] : [say(measures[name])])),
      ...(pace === undefined ? [] : [`${(images / pace).toFixed(1)} img/s`]),
      `data-wait ${Math.round((100 * waited) / Math.max(seconds, 1e-9))} %`,
    ];
    let line = parts[0]!;
    for (const part of parts.slice(1)) {
      if (line.length + 3 + part.length > this.#screen.columns) break;
      line = `${line} · ${part}`;
    }
    return line;
  }
}

/** "45 s", "12 min 05 s", "6 h 04 min" */
export function duration(seconds: number): string {
  const whole = Math.round(seconds);
  const two = (value: number): string => String(value).padStart(2, "0");
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${two(whole % 60)} s`;
  return `${Math.floor(whole / 3600)} h ${two(Math.floor((whole % 3600) / 60))} min`;
}

/** Shows several trainings by name, one after the other. */
export function showsTrainings(screen: Screen): (name: string, event: TrainEvent) => void {
  const statuses = new Map<string, TrainStatus>();
  return (name, event) => {
    const status = statuses.get(name) ?? new TrainStatus(screen, { name });
    statuses.set(name, status);
    status.show(event);
  };
}
