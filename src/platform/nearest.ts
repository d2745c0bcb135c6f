/** What people say who know other tools, and what it may be called here. */
const meanings: Readonly<Record<string, readonly string[]>> = {
  bs: ["batch"],
  check: ["inspect"],
  checks: ["doctor"],
  data: ["source"],
  dataset: ["source"],
  deploy: ["export"],
  epochs: ["steps"],
  fit: ["train"],
  force: ["overwrite"],
  fresh: ["overwrite"],
  imgsz: ["height"],
  infer: ["predict"],
  iterations: ["steps"],
  iters: ["steps"],
  list: ["runs"],
  ls: ["runs"],
  metal: ["coreml"],
  mps: ["coreml"],
  nvidia: ["cuda"],
  out: ["to"],
  output: ["to"],
  test: ["evaluate"],
  val: ["validate", "evaluate"],
};

/** The name that was probably meant: another word for it, its initials, a part of it, or close in spelling. Undefined if none is. */
export function nearest(given: string, names: readonly string[]): string | undefined {
  const wanted = given.toLowerCase();
  const said = meanings[wanted]?.find((name) => names.includes(name));
  if (said !== undefined) return said;
  let best: string | undefined;
  let least = Math.ceil(wanted.length / 3) + 1;
  for (const name of names) {
    const far = partOf(wanted, name.toLowerCase()) ? 0.5 : distance(wanted, name.toLowerCase());
    if (far < least) [best, least] = [name, far];
  }
  return best;
}

/** "eval" of evaluate, "gpu" of webgpu, "batch-size" of batch, "lr" of learning-rate. */
function partOf(given: string, name: string): boolean {
  const words = name.split("-");
  const initials = words.map((word) => word[0]).join("");
  if (words.length > 1 && given === initials) return true;
  const [short, long] = given.length < name.length ? [given, name] : [name, given];
  return short.length >= 3 && (long.startsWith(short) || (long === name && long.endsWith(short)));
}

/** "did you mean "camvid"? known: …" */
export function knownHint(given: string, names: readonly string[]): string {
  const meant = nearest(given, names);
  return `${meant === undefined ? "" : `did you mean "${meant}"? `}known: ${names.join(", ")}`;
}

/** Letters to add, drop, change or swap with a neighbour to get from one word to the other. */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = above[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      row[j] = Math.min(change, above[j]! + 1, row[j - 1]! + 1);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        row[j] = Math.min(row[j]!, before[j - 2]! + 1);
    }
    [before, above] = [above, row];
  }
  return above[b.length]!;
}
