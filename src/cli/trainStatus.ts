import { terminalText } from "../platform/print.js";
import { printable } from "../platform/printable.js";
import type { TrainEvent } from "../training/trainEvents.js";

export interface Screen {
  /** A line that stays. */
  line(text: string): void;
  /** A line that the next one replaces; does nothing where lines cannot be replaced. */
  passing(text: string): void;
  /** Whether lines can be replaced. */
  readonly live: boolean;
}

/** A terminal is redrawn; a file or pipe gets plain lines and no control codes. */
export function screenOn(stream: NodeJS.WriteStream): Screen {
  const live = stream.isTTY === true;
  const clear = live ? "\r\u001b[2K" : "";
  return {
    live,
    line: (text) => void stream.write(`${clear}${terminalText(text)}\n`),
    passing(text) {
      if (live) stream.write(`${clear}${printable(text).slice(0, Math.max(20, stream.columns - 1))}`);
    },
  };
}

const percent = (value: number): string => `${(100 * value).toFixed(0)} %`;

/** Measurements a person follows, and how they are put. The single losses only where there are several. */
const shown: Readonly<Record<string, (value: number) => string>> = {
  loss: (value) => `loss ${value.toFixed(3)}`,
  "loss.supervised": (value) => `Ls ${value.toFixed(2)}`,
  "loss.uniformity": (value) => `Lu ${value.toFixed(2)}`,
  "loss.consistency": (value) => `Lc ${value.toFixed(2)}`,
  "loss.prototype": (value) => `Lp ${value.toFixed(2)}`,
  gamma: (value) => `· γ ${value.toFixed(2)}`,
  certain: (value) => `· certain ${percent(value)}`,
  consistent: (value) => `· consistent ${percent(value)}`,
};

/** Seconds between lines where the status cannot be redrawn. */
const PLAIN_PAUSE = 30;

/** Tells a person how a training is going: one status line on a terminal, a line now and then elsewhere. */
export class TrainStatus {
  readonly #screen: Screen;
  readonly #name: string;
  #steps = 0;
  /** The first step of this process: it also warms everything up, and would spoil the estimate. */
  #first: { readonly step: number; readonly seconds: number } | undefined;
  /** Pictures since then: stages have batches of different sizes. */
  #images = 0;
  #told = Number.NEGATIVE_INFINITY;

  constructor(screen: Screen, name: string) {
    this.#screen = screen;
    this.#name = name;
  }

  show(event: TrainEvent): void {
    if (event.kind === "note") this.#screen.line(event.message);
    if (event.kind === "step") this.#step(event);
    if (event.kind === "started") {
      this.#steps = event.steps;
      if (event.done > 0) this.#screen.line(`going on after step ${event.done} of ${event.steps}`);
    }
    if (event.kind === "validated") {
      const said = Object.entries(event.validations).map(
        ([branch, { accuracy, meanIou, auroc }]) =>
          `${branch} accuracy ${accuracy.toFixed(3)}, mean IoU ${meanIou.toFixed(3)}, AUROC ${auroc?.toFixed(3) ?? "–"}`,
      );
      this.#screen.line(`step ${event.step}  validation: ${said.join("; ")}`);
    }
  }

  #step(event: Extract<TrainEvent, { kind: "step" }>): void {
    const { step, seconds, images } = event;
    if (this.#first === undefined) this.#first = { step, seconds };
    else this.#images += images;
    const line = this.#line(event);
    this.#screen.passing(line);
    const due = seconds - this.#told >= PLAIN_PAUSE || step === this.#steps;
    if (due && !this.#screen.live) {
      this.#told = seconds;
      this.#screen.line(line);
    }
  }

  #line({ step, seconds, waited, measures }: Extract<TrainEvent, { kind: "step" }>): string {
    const passed = seconds - this.#first!.seconds;
    const pace = passed / (step - this.#first!.step);
    const said = Object.entries(shown).flatMap(([name, say]) =>
      measures[name] === undefined ? [] : [say(measures[name])],
    );
    const parts = [
      this.#name,
      `${step}/${this.#steps}`,
      ...(Number.isFinite(pace)
        ? [`${(this.#images / passed).toFixed(1)} img/s`, `ETA ${duration((this.#steps - step) * pace)}`]
        : []),
      said.join(" "),
      `data-wait ${Math.round((100 * waited) / Math.max(seconds, 1e-9))} %`,
    ];
    return parts.join(" · ");
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
