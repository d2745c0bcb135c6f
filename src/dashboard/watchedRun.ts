import { stat } from "node:fs/promises";
import { join } from "node:path";
import { UserError } from "../platform/errors.js";
import { readIfThere } from "../platform/files.js";
import { type RunStory, readStoryIfSound } from "../report/runStory.js";
import { runFiles } from "../runs/runFiles.js";
import { sampleFile, sampleSteps } from "../runs/samples.js";
import { LoggedNumbers } from "./loggedNumbers.js";
import { LogTail } from "./logTail.js";
import { Pace, secondsLeft, stageAt } from "./pace.js";
import type { Curves, RunFacts, RunStatus } from "./protocol.js";
import { type Judged, judgeRun } from "./runState.js";

/** Looks at a folder are at least so many milliseconds apart, however many pages are open. */
const LEAST_PAUSE = 300;

const UNSEEN: Judged = { state: "waiting", message: "", command: null };

/** A run folder that is looked at again and again. Nothing is read but what has changed, and nothing is ever written. */
export class WatchedRun {
  readonly name: string;
  readonly folder: string;
  readonly #numbers = new LoggedNumbers();
  readonly #tail: LogTail;
  readonly #pace = new Pace();
  #story: RunStory | string | null = null;
  /** Of the files the story was read from. */
  #storyTimes = "";
  #judged = UNSEEN;
  #trouble: string | null = null;
  #read = 1;
  #written: number | null = null;
  #samples: readonly number[] = [];
  #looking: Promise<void> | null = null;
  #looked = Number.NEGATIVE_INFINITY;

  constructor(folder: string, name: string) {
    this.folder = folder;
    this.name = name;
    this.#tail = new LogTail(join(folder, runFiles.log), this.#numbers);
  }

  /** Look again, unless that was done just now. Calls at the same time share one look. */
  async look(): Promise<void> {
    // A log that is only partly read is read on at once.
    if (this.#read === 1 && performance.now() - this.#looked < LEAST_PAUSE) return;
    this.#looking ??= this.#lookOnce().finally(() => {
      this.#looking = null;
    });
    await this.#looking;
  }

  /** Look at how it is now, whatever was seen before. */
  async lookNow(): Promise<void> {
    await this.#looking;
    this.#looked = Number.NEGATIVE_INFINITY;
    await this.look();
  }

  async #lookOnce(): Promise<void> {
    try {
      const place = await this.#tail.advance();
      this.#written = place?.written ?? null;
      // What lacks its end is less than a line.
      this.#read = place === null || place.size - place.offset < 2 ** 20 ? 1 : place.offset / place.size;
      await this.#readStory();
      const story = typeof this.#story === "string" ? null : this.#story;
      this.#judged = await judgeRun(this.folder, { step: this.#numbers.step, story });
      this.#samples = await sampleSteps(this.folder);
      this.#notePace();
      this.#trouble = null;
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      this.#trouble = error.message;
    }
    this.#looked = performance.now();
  }

  /** A run that is given more steps, or begun again, has another config. */
  async #readStory(): Promise<void> {
    const times = await Promise.all([runFiles.config, runFiles.run].map((name) => changed(join(this.folder, name))));
    if (times.join() === this.#storyTimes) return;
    this.#story = await readStoryIfSound(this.folder, this.name);
    this.#storyTimes = times.join();
  }

  #notePace(): void {
    const { step } = this.#numbers;
    if (step === null || this.#written === null || this.#read < 1) {
      this.#pace.restart();
      return;
    }
    const { index, to } = stageAt(step, this.#stages);
    this.#pace.note(step, this.#written, to - (this.#stages[index]?.steps ?? to) + 1);
  }

  get #stages(): RunStory["stages"] {
    return this.#story === null || typeof this.#story === "string" ? [] : this.#story.stages;
  }

  get status(): RunStatus {
    const { step, latest, revision, warnings } = this.#numbers;
    const steps = this.#stages.length === 0 ? null : this.#stages.reduce((sum, stage) => sum + stage.steps, 0);
    const stage = step === null ? undefined : this.#stages[stageAt(step, this.#stages).index];
    const idle = this.#written === null ? null : Math.max(0, (Date.now() - this.#written) / 1000);
    const perhaps = ["running", "elsewhere", "unknown"].includes(this.#judged.state);
    const pace = perhaps ? this.#pace.secondsPerStep : undefined;
    return {
      ...this.#judged,
      ...{ name: this.name, folder: this.folder, step, steps, stage: stage?.name ?? null, idle, latest, revision },
      warnings: [this.#trouble, this.#story, ...warnings].filter((text) => typeof text === "string"),
      imagesPerSecond: pace === undefined || stage === undefined ? null : stage.images / pace,
      secondsLeft:
        pace === undefined || step === null || steps === null
          ? null
          : Math.max(0, secondsLeft(step, this.#stages, pace) - (idle ?? 0)),
      read: this.#read,
      samples: this.#samples,
      facts: factsOf(this.#story),
    };
  }

  curves(): Curves {
    return this.#numbers.curves();
  }

  /** The sample predictions of a step; null where there are none. */
  sample(step: number): Promise<Buffer | null> {
    return readIfThere(join(this.folder, sampleFile(step)), 2 ** 24);
  }
}

const changed = (path: string): Promise<number | null> =>
  stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => null,
  );

function factsOf(story: RunStory | string | null): RunFacts | null {
  if (story === null || typeof story === "string") return null;
  const { method, source, targets, seed, command = null, started = null } = story;
  return {
    method,
    source,
    targets,
    seed,
    command,
    started,
    stages: story.stages.map(({ name, steps }) => ({ name, steps })),
  };
}
