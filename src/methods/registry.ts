import { UserError } from "../platform/errors.js";
import { knownHint } from "../platform/nearest.js";
import { printable } from "../platform/printable.js";
import { dum } from "./baselines/dum.js";
import { energy } from "./baselines/energy.js";
import { ensembles } from "./baselines/ensemble.js";
import { entropy } from "./baselines/entropy.js";
import { gaussianMixture } from "./baselines/gaussianMixture.js";
import { klMatching } from "./baselines/klMatching.js";
import { mahalanobis } from "./baselines/mahalanobis.js";
import { mahalanobisAdversarial } from "./baselines/mahalanobisAdversarial.js";
import { maxLogit } from "./baselines/maxLogit.js";
import { maxSoftmax } from "./baselines/maxSoftmax.js";
import { mcDropouts } from "./baselines/mcDropout.js";
import { mcdDsl, mcdDslHead } from "./baselines/mcdDsl.js";
import { nearestNeighbours } from "./baselines/nearestNeighbours.js";
import { odin } from "./baselines/odin.js";
import { react } from "./baselines/react.js";
import { temperatureScaling } from "./baselines/temperatureScaling.js";
import { vim } from "./baselines/vim.js";
import { gammaSsl, noSsl } from "./gamma-ssl/prototypeMethod.js";
import { ADAPTED, baseOf, onAdapted } from "./onAdapted.js";
import type { Method } from "./parts/method.js";

const list: Method[] = [
  ...ensembles,
  ...mcDropouts,
  mcdDsl,
  mcdDslHead,
  maxSoftmax,
  odin,
  mahalanobis,
  mahalanobisAdversarial,
  vim,
  dum,
  entropy,
  maxLogit,
  energy,
  temperatureScaling,
  klMatching,
  react,
  nearestNeighbours,
  gaussianMixture,
  noSsl,
  gammaSsl,
];

/** Every method there is, in the order of the paper's tables: the terminal, hints, result files and tables take theirs from here. */
export const methods: readonly Method[] = list;

/** Hashes of the code of added methods, by name. */
const addedCode = new Map<string, string>();

/** Hash of the file that an added method comes from; null for one of the package. */
export const codeOfAdded = (name: string): string | null => addedCode.get(baseOf(name)) ?? null;

/** Add a method of a user's, before our own. `code` is the hash of its file. */
export function addMethod(method: Method, code: string): void {
  if (list.some(({ name }) => name === method.name)) {
    throw new UserError(`there is a method "${printable(method.name)}" already`, { hint: "choose another name" });
  }
  list.splice(list.indexOf(noSsl), 0, method);
  addedCode.set(method.name, code);
}

/**
 * The method of a name; with `@adapted` behind it, that baseline on the network after adaptation. `also` are words that may be typed in
 * its place, for the hint.
 */
export function methodNamed(name: string, among: readonly Method[] = methods, also: readonly string[] = []): Method {
  const found = among.find((method) => method.name === name);
  if (found !== undefined) return found;
  const base = baseOf(name);
  const method = among.find((one) => one.name === base);
  const variant = method === undefined ? null : onAdapted(method);
  if (variant !== null) return variant;
  if (method !== undefined) {
    throw new UserError(
      `there is no method "${printable(name)}": ${base} is not of one pass through the network of a run`,
      {
        hint: `NAME${ADAPTED} is there for ${among
          .filter((one) => onAdapted(one) !== null)
          .map((one) => one.name)
          .join(", ")}`,
      },
    );
  }
  throw new UserError(`there is no method "${printable(name)}"`, {
    hint: `${knownHint(base, [...also, ...among.map((one) => one.name)])}; NAME${ADAPTED} is a baseline on the network after adaptation`,
  });
}
