/** So many of a list, evenly spread over it; all of them where there are fewer. */
export function evenlySpread<T>(list: readonly T[], most: number): T[] {
  const n = Math.min(most, list.length);
  return Array.from({ length: n }, (_, k) => list[Math.floor(((k + 0.5) * list.length) / n)]!);
}
