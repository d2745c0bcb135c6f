/** The name that was probably meant: close in spelling, or beginning alike. Undefined if none is. */
export function nearest(given: string, names: readonly string[]): string | undefined {
  const wanted = given.toLowerCase();
  let best: string | undefined;
  let least = Math.ceil(wanted.length / 3) + 1;
  for (const name of names) {
    const far = name.startsWith(wanted) && wanted.length >= 3 ? 1 : distance(wanted, name.toLowerCase());
    if (far < least) [best, least] = [name, far];
  }
  return best;
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
