import { UserError } from "../platform/errors.js";

/** One byte a pixel: what the label says about the prediction. */
export const WRONG = 0;
export const RIGHT = 1;
export const NOT_SCORED = 2;

export type Treatment = "inaccurate" | "ignore";

/**
 * What to do with pixels that have no class of ours (requirement D-4).
 * `unknown`: things the source has no class for (a horse). `void`: nothing was labelled (ego car, gaps).
 */
export interface UnknownPolicy {
  readonly unknown: Treatment;
  readonly void: Treatment;
}

/** The paper counts unknown classes as inaccurate; the authors' tester counts every void pixel so too. */
export const policies = {
  paper: { unknown: "inaccurate", void: "ignore" },
  official: { unknown: "inaccurate", void: "inaccurate" },
  known: { unknown: "ignore", void: "ignore" },
} as const satisfies Record<string, UnknownPolicy>;

/** Their names. */
export const policyNames = Object.keys(policies) as readonly (keyof typeof policies)[];

/** Which label ids mean what: 0 … classes-1 are classes, the rest must be listed or is refused. */
export interface LabelMeaning {
  readonly classes: number;
  readonly unknown?: readonly number[];
  readonly void?: readonly number[];
}

export type LabelArray = Uint8Array | Uint16Array | Int16Array | Int32Array;

const CLASS = 3;
const REFUSED = 4;
const ids = 65536;

/** For each label id: CLASS, REFUSED, or the verdict it always gets. */
function verdictTable(meaning: LabelMeaning, policy: UnknownPolicy): Uint8Array {
  const table = new Uint8Array(ids).fill(REFUSED);
  table.fill(CLASS, 0, meaning.classes);
  const fixed = (treatment: Treatment) => (treatment === "inaccurate" ? WRONG : NOT_SCORED);
  for (const id of meaning.unknown ?? []) table[id] = fixed(policy.unknown);
  for (const id of meaning.void ?? []) table[id] = fixed(policy.void);
  return table;
}

/**
 * Right, wrong or not scored, for each pixel. Unknown and void pixels are wrong whatever was predicted, or not scored,
 * as the policy says. A prediction that is no class (a network that may answer "unknown") is wrong on a labelled pixel.
 */
export function judge(
  image: string,
  labels: LabelArray,
  predicted: LabelArray,
  meaning: LabelMeaning,
  policy: UnknownPolicy = policies.paper,
): Uint8Array {
  if (labels.length !== predicted.length) {
    throw new UserError(`${image}: ${labels.length} labels, but ${predicted.length} predictions`, {
      hint: "predict at the size of the labels; nothing is resized here",
    });
  }
  const table = verdictTable(meaning, policy);
  const verdict = new Uint8Array(labels.length);
  for (let i = 0; i < labels.length; i++) {
    const label = labels[i]!;
    const kind = table[label] ?? REFUSED;
    if (kind === CLASS) verdict[i] = label === predicted[i] ? RIGHT : WRONG;
    else if (kind === REFUSED) {
      throw new UserError(
        `${image}: label ${label} at pixel ${i} is neither a class (0 to ${meaning.classes - 1}) nor listed`,
        {
          hint: "map it to a class, to unknown or to void",
        },
      );
    } else verdict[i] = kind;
  }
  return verdict;
}
