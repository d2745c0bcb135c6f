/** What logged numbers are called in a plot, in the order in which plots come. Others come last. */
const titles: Readonly<Record<string, string>> = {
  "validation.accuracy": "Validation: accuracy",
  "validation.meanIou": "Validation: mean IoU",
  "validation.auroc": "Validation: AUROC",
  loss: "Total loss",
  "loss.supervised": "Supervised loss L_s",
  "loss.consistency": "Consistency loss L_c",
  "loss.uniformity": "Uniformity loss L_u",
  "loss.prototype": "Prototype loss L_p",
  "loss.prototypeSupervision": "Prototype supervision loss",
  gamma: "Threshold γ",
  shares: "Certain and consistent pixels",
  counted: "Pixels counted in L_c",
  "prototypes.nearest": "Nearest prototypes",
  agreement: "Certain as consistent",
  peak: "Largest score",
  gradientNorm: "Length of the gradient",
  learningRate: "Learning rate",
};

/** A logged name in words: "memory.freeBytes" is "Memory: free bytes". */
export function titleOf(key: string): string {
  const words = key.replaceAll(".", ": ").replace(/(?<=[a-z])[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`);
  return titles[key] ?? `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}

/** One plot: what was logged under some names, each a curve for every run that has it. */
export interface LoggedPlot {
  readonly key: string;
  /** The logged name, and what is said of its curve besides the run. */
  readonly names: readonly { readonly name: string; readonly branch: string | null }[];
}

/** Numbers that are read against each other share a plot: prototypes and head of a validation, certain and consistent pixels. */
function placeOf(name: string): readonly [key: string, branch: string | null] {
  const [, branch = null, measure] = /^validation\.(\w+)\.(\w+)$/.exec(name) ?? [];
  if (measure !== undefined) return [`validation.${measure}`, branch];
  if (name === "certain" || name === "consistent") return ["shares", name];
  const [, shared, which = null] = /^(agreement|peak)\.(\w+)$/.exec(name) ?? [];
  return shared === undefined ? [name, null] : [shared, which];
}

/** The plots of some logged names, in their order. */
export function plotsOfNames(names: Iterable<string>): LoggedPlot[] {
  const found = new Map<string, { name: string; branch: string | null }[]>();
  for (const name of new Set(names)) {
    const [key, branch] = placeOf(name);
    found.set(key, [...(found.get(key) ?? []), { name, branch }]);
  }
  const order = Object.keys(titles);
  const rank = (key: string): number => (order.includes(key) ? order.indexOf(key) : order.length);
  return [...found].sort((a, b) => rank(a[0]) - rank(b[0])).map(([key, names]) => ({ key, names }));
}

/** Which curve of a plot is which, where a run has more than one: " Solid: certain; dotted: consistent." */
export function lineStyles(names: LoggedPlot["names"]): string {
  const [solid, ...dotted] = names.map(({ branch }) => branch);
  return solid === undefined || dotted.length === 0 ? "" : ` Solid: ${solid}; dotted: ${dotted.join(", ")}.`;
}

/** Where each stage but the first begins; nothing where runs have different stages. */
export function stageMarks(
  runs: readonly (readonly { readonly name: string; readonly steps: number }[] | undefined)[],
): { x: number; label: string }[] {
  const [stages = [], ...others] = runs;
  if (others.some((other) => JSON.stringify(other) !== JSON.stringify(stages))) return [];
  const begins = (index: number): number => stages.slice(0, index).reduce((sum, { steps }) => sum + steps, 0);
  return stages.map(({ name }, i) => ({ x: begins(i), label: name })).slice(1);
}
