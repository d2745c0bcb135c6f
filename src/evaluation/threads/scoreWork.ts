import { type CounterPart, PixelCounter } from "../pixelCounter.js";
import { type Rules, readExample, type Sources } from "../readExample.js";
import { type Maps, openMaps } from "../results/maps.js";
import type { PolicyName } from "../results/resultOf.js";
import type { Crew, Work } from "./crew.js";

/** Where somebody's predictions lie, and how they are judged; as in `ScoreOptions`. */
export interface ScoreStart {
  readonly labels: string;
  readonly predicted: string;
  readonly uncertainty: string;
  readonly policy: PolicyName;
}

export type ScoreTask =
  /** Read, judge and count some images. */
  | { readonly kind: "count"; readonly ids: readonly string[]; readonly classes: number; readonly rules: Rules }
  /** The largest value in some labels that is none of `others`; 0 when there is none. */
  | { readonly kind: "largest"; readonly ids: readonly string[]; readonly others: readonly number[] };

/** Parts for "count", numbers for "largest". */
export type ScoreCrew = Crew<ScoreTask, CounterPart | number>;

export const scoreWork: Work<ScoreStart, ScoreTask, CounterPart | number> = {
  script: new URL("./scoreWorker.js", import.meta.url),
  open({ labels, predicted, uncertainty, policy }) {
    const opened: Maps[] = [];
    const open = async (path: string, role: string): Promise<Maps> => {
      const maps = await openMaps(path, role);
      opened.push(maps);
      return maps;
    };
    let sources: Sources | undefined;
    let spare: PixelCounter | undefined;
    return {
      async do(task) {
        sources ??= {
          labels: await open(labels, "labels"),
          predicted: await open(predicted, "predicted"),
          uncertainty: await open(uncertainty, "uncertainty"),
        };
        if (task.kind === "largest") return largestLabel(sources, task.ids, task.others);
        const tally = spare ?? new PixelCounter({ classes: task.classes, policy });
        spare = undefined; // if an image is refused, what was counted before it is dropped
        for (const id of task.ids) tally.add(await readExample(id, sources, task.rules));
        spare = tally;
        return tally.takePart();
      },
      async close() {
        for (const maps of opened) await maps.close();
      },
    };
  },
};

async function largestLabel({ labels }: Sources, ids: readonly string[], others: readonly number[]): Promise<number> {
  let largest = 0;
  for (const id of ids) {
    const { values } = await labels.read(id);
    for (let i = 0; i < values.length; i++) {
      if (values[i]! > largest && !others.includes(values[i]!)) largest = values[i]!;
    }
  }
  return largest;
}
