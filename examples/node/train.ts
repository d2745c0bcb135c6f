/**
 * Train γ-SSL on drawn streets, with progress, and stop it after some steps: a second run continues where the first was stopped.
 *
 *   node train.js runs/example 3
 */
import { train } from "gamma-ssl";

const [to = "runs/example", stopAfter = "1000"] = process.argv.slice(2);
const size = "height=32&width=64";
const controller = new AbortController();
try {
  await train(
    {
      source: `scenes:city?split=train&count=8&${size}`,
      targets: [`scenes:town?split=train&count=8&${size}`],
      view: { height: 32, crop: [32, 48] },
      options: {
        network: { width: 0.125, features: 16 },
        batch: { source: 2, prototype: 2, target: 2 },
        training: { pretraining: 4, adaptation: 4 },
      },
    },
    {
      to,
      threads: 1,
      signal: controller.signal,
      onEvent(event) {
        if (event.kind === "started") console.log(`from step ${event.done} of ${event.steps}`);
        if (event.kind === "step") console.log(`step ${event.step}: loss ${event.measures.loss?.toFixed(2)}`);
        if (event.kind === "step" && event.step >= Number(stopAfter)) controller.abort();
      },
    },
  );
  console.log("finished");
} catch (error) {
  if (!controller.signal.aborted) throw error;
  console.log("stopped");
}
