import { join } from "node:path";
import { UserError } from "../platform/errors.js";
import { readFinalGamma, solvesFinalGamma } from "./finalGamma.js";
import { fingerprintOf } from "./fingerprint.js";
import type { TrainedRun } from "./openRun.js";
import { runFiles } from "./runFiles.js";
import { readLogLines } from "./trainLog.js";

/** Steps whose γ is averaged (G-8): the last ones of the training. */
const STEPS = 500;

/** γ as training left it, and the shares of pixels that it made certain there. */
export interface GammaOfRun {
  readonly gamma: number;
  readonly certain: readonly number[];
  /** What they are shares of: so many images each. */
  readonly seenOn: { readonly images: number; readonly name: string };
}

type Run = Pick<TrainedRun, "folder" | "config" | "weights">;

/** γ that a run ended with; null where no step solved for one. */
export async function gammaOfRun(run: Run): Promise<GammaOfRun | null> {
  if (!solvesFinalGamma(run.config)) return meanOfSteps(run);
  const final = await readFinalGamma(run.folder);
  if (final === null) {
    throw new UserError(`${run.folder} has no ${runFiles.gamma}: its training ended before γ was solved`, {
      hint: "the command that trained it goes on from there",
    });
  }
  if (final.weights !== fingerprintOf(run.weights)) {
    throw new UserError(
      `${join(run.folder, runFiles.gamma)}: belongs to other weights than ${runFiles.weights} holds`,
      {
        hint: "the command that trained it solves for γ again",
      },
    );
  }
  const { gamma, certain } = final;
  return { gamma, certain, seenOn: { images: 1, name: "images it was adapted to" } };
}

/** With what is known of a mean. */
interface MeanGamma extends GammaOfRun {
  readonly deviation: number;
  readonly steps: number;
}

/** From the log: mean and spread over the last steps. */
export async function meanOfSteps({ folder, config }: Omit<Run, "weights">): Promise<MeanGamma | null> {
  const lines = (await readLogLines(folder)) ?? [];
  const trace = lines.flatMap(({ gamma, certain }) => (typeof gamma === "number" ? [{ gamma, certain }] : []));
  // A third of a short training at most, as γ still travels before, and of a curriculum its last place alone.
  if (trace.length === 0 || config.method !== "gamma-ssl") return null;
  const last = trace.slice(-Math.min(STEPS, config.options.training.adaptation, Math.ceil(trace.length / 3)));
  const gamma = last.reduce((total, one) => total + one.gamma, 0) / last.length;
  const variance = last.reduce((total, one) => total + (one.gamma - gamma) ** 2, 0) / last.length;
  return {
    gamma,
    deviation: Math.sqrt(variance),
    steps: last.length,
    certain: last.flatMap((one) => (typeof one.certain === "number" ? [one.certain] : [])),
    seenOn: { images: config.options.batch.target, name: "views in training" },
  };
}
