import { type Line, Plot } from "./plot.js";
import type { Measured } from "./protocol.js";
import type { TrainingSession } from "./session.js";

const losses = {
  loss: "all together",
  "loss.consistency": "views agree (L_c)",
  "loss.supervised": "city labels, head (L_s)",
  "loss.prototypeSupervision": "city labels, prototypes",
} as const;
const shares = { consistent: "consistent", certain: "certain", gamma: "γ" } as const;
/** As many pixels are certain as are consistent: one line lies on the other. */
const DASHED = "certain";
const measures = { accuracy: "accuracy", auroc: "AUROC", certainAccuracy: "accuracy where certain" } as const;

/** Curves of the training so far. */
export function Curves({ session }: { readonly session: TrainingSession }) {
  const [steps, measured, total] = [session.steps.value, session.measured.value, session.total.value];
  const ofSteps = (names: Readonly<Record<string, string>>): Line[] =>
    Object.entries(names).map(([key, name]) => {
      const points = steps.map(({ step, measures: found }) => [step, found[key]!] as const);
      return { name, points, noisy: true, dashed: key === DASHED };
    });
  const ofImages = Object.entries(measures).map(([key, name]) => {
    const points = measured.flatMap((one) => {
      const value = one[key as keyof typeof measures & keyof Measured];
      return value === null ? [] : [[one.step, value] as const];
    });
    return { name, points };
  });
  const many = session.shown.value === null ? "" : `${session.shown.value.measuredOn} `;
  return (
    <section class="curves" aria-label="Curves">
      <Plot title="Losses" lines={ofSteps(losses)} steps={total} range={[0, 1]} />
      <Plot title="Shares of pixels at dusk, and γ" lines={ofSteps(shares)} steps={total} range={[0, 1]} />
      <Plot title={`Measured on ${many}images, with their labels`} lines={ofImages} steps={total} range={[0.6, 0.9]} />
    </section>
  );
}
