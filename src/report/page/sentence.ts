import { element } from "../../html/element.js";
import type { Choice } from "./choice.js";

/** What the threshold means, in one plain sentence, and the same as a bar of four parts. */
export function openSentence(choice: Choice): void {
  const sentence = element("#sentence");
  const value = element("#threshold-value");
  const parts = ["kept-right", "kept-wrong", "dropped-wrong", "dropped-right"].map((name) => ({
    name,
    bar: element<HTMLElement>(`#bar .${name}`),
    amount: element(`#bar-legend .${name} b`),
  }));
  choice.onChange(() => {
    const { levels } = choice.current;
    const at = choice.levelOf(choice.current);
    const threshold = levels.threshold[at];
    if (threshold === undefined) {
      sentence.textContent = "Nothing was scored here: the table says why.";
      return;
    }
    const certain = levels.certain[at]!;
    const pac = levels.pac[at]!;
    const accuracy = levels.pac.at(-1)!;
    const shares = {
      "kept-right": pac,
      "kept-wrong": certain - pac,
      "dropped-wrong": 1 - accuracy - (certain - pac),
      "dropped-right": accuracy - pac,
    };
    for (const { name, bar, amount } of parts) {
      const share = Math.max(0, shares[name as keyof typeof shares]);
      bar.style.setProperty("flex-grow", share.toFixed(4));
      amount.textContent = percent(share);
    }
    value.textContent = `uncertainty ≤ ${Number(threshold.toPrecision(3))}`;
    const precision = levels.precision[at];
    const missed = levels.fpr[at];
    const kept =
      precision === null || precision === undefined
        ? "At this threshold no pixel is kept."
        : `At this threshold ${percent(certain)} of pixels are kept, ${percent(precision)} of them right`;
    const mistakes =
      missed === null || missed === undefined ? "." : `; ${percent(1 - missed)} of all mistakes are blacked out.`;
    sentence.textContent = precision === null ? kept : kept + mistakes;
  });
}

/** Whole percents; near the ends one digit more, so that "100 %" and "0 %" mean it. */
function percent(share: number): string {
  const value = share * 100;
  if (value > 0 && value < 0.05) return "< 0.1 %";
  if (value > 99.95 && value < 100) return "> 99.9 %";
  return `${value.toFixed((value > 0 && value < 1) || (value > 99 && value < 100) ? 1 : 0)} %`;
}
