import type { Random } from "../engine/tensor/random.js";

/** `count` different numbers out of 0 … n-1, in random order. */
export function drawWithout(n: number, count: number, random: Random): number[] {
  const deck = Array.from({ length: n }, (_, i) => i);
  for (let i = 0; i < count; i++) {
    const j = i + random.below(n - i);
    [deck[i], deck[j]] = [deck[j]!, deck[i]!];
  }
  return deck.slice(0, count);
}
