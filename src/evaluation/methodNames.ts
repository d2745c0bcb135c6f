import { UserError } from "../platform/errors.js";
import type { TrainConfig } from "../runs/config.js";

/** Which network a method looks through; methods with the same one are run together. */
export type Kin =
  /** The network that the run ended with. */
  | "own"
  /** The network before it saw the target (T-2, B-11). */
  | "source"
  /** The same, on pictures changed against its doubts. */
  | "adversarial"
  | "mc-dropout"
  | "ensemble"
  | "distilled"
  | "distilled-head"
  | "spectral";

/** Every method there is. Names in the terminal, in hints and in result files come from here. */
export const kinOf = {
  "ensemble-pe-5": "ensemble",
  "ensemble-mi-5": "ensemble",
  "ensemble-pe-10": "ensemble",
  "ensemble-mi-10": "ensemble",
  "mc-dropout-pe": "mc-dropout",
  "mc-dropout-mi": "mc-dropout",
  "mcd-dsl": "distilled",
  "mcd-dsl-head": "distilled-head",
  "max-softmax": "source",
  odin: "adversarial",
  mahalanobis: "source",
  "mahalanobis-a": "adversarial",
  vim: "source",
  dum: "spectral",
  entropy: "source",
  "max-logit": "source",
  energy: "source",
  "temperature-scaling": "source",
  "kl-matching": "source",
  react: "source",
  knn: "source",
  gmm: "source",
  "no-ssl": "source",
  "gamma-ssl": "own",
} as const satisfies Record<string, Kin>;

export type MethodName = keyof typeof kinOf;

/** Members of the ensemble that a method is about. */
export const membersIn = (method: MethodName): number =>
  kinOf[method] === "ensemble" ? Number(method.slice(method.lastIndexOf("-") + 1)) : 0;

const names = Object.keys(kinOf) as MethodName[];

/** Methods that cost no further training and no further pass: what a run is measured with unless more is asked for. */
const QUICK: readonly MethodName[] = ["max-softmax", "entropy", "max-logit", "energy"];
/** A variant of another row, only on request. */
const ON_REQUEST: readonly MethodName[] = ["mcd-dsl-head"];
/** Methods with settings that are always chosen between. */
const CHOOSING: readonly string[] = ["max-softmax", "odin", "mahalanobis-a", "react", "knn"];
export const choosesSettings = (method: string): boolean => CHOOSING.includes(method);

/** Whether a method learns from held-out images of the source, beside having settings chosen on them. */
export const needsHeldOut = (method: MethodName): boolean => method === "temperature-scaling";

/** The method that a run was trained for: γ-SSL, or NoSSL where it ended before the target. A supervised run has none. */
export function ownMethod(config: TrainConfig): "gamma-ssl" | "no-ssl" | null {
  if (config.method === "supervised") return null;
  return config.options.training.adaptation > 0 ? "gamma-ssl" : "no-ssl";
}

/** The methods that a run has. */
export function methodsOf(config: TrainConfig): MethodName[] {
  const own = ownMethod(config);
  return names.filter((name) => (name === "gamma-ssl" ? own === name : name !== "no-ssl" || own !== null));
}

/** The methods that were asked for: "all", names joined by commas, or the quick ones when nothing was said. Some run has them. */
export function askedMethods(configs: readonly TrainConfig[], asked: string | undefined): MethodName[] {
  const had = configs.flatMap(methodsOf);
  const known = names.filter((name) => had.includes(name));
  if (asked === undefined) {
    const owned: readonly (string | null)[] = configs.map(ownMethod);
    return known.filter((name) => QUICK.includes(name) || owned.includes(name));
  }
  if (asked === "all") return known.filter((name) => !ON_REQUEST.includes(name));
  const wanted = asked.split(",").map((name) => name.trim());
  const strange = wanted.find((name) => !known.some((one) => one === name));
  if (strange !== undefined) {
    throw new UserError(`there is no method "${strange}"`, { hint: `there is: all, ${known.join(", ")}` });
  }
  return known.filter((name) => wanted.includes(name));
}
