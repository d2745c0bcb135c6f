import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { encode } from "fast-png";
import pc from "picocolors";
import { blackOut, overlay, Sheet } from "../../data/images/sheet.js";
import { classes } from "../../data/scenes/classes.js";
import { nodeRuntime } from "../../engine/runtime/node.js";
import { firstLook, type PlaceResult, plans } from "../../lab/experiments/firstLook.js";
import { wholeNumber } from "./wholeNumber.js";

interface DemoOptions {
  readonly to: string;
  readonly steps: string;
  readonly seed: string;
  readonly threads: string;
}

/** Pixels less certain than this are blacked out in the pictures. */
const DOUBT = 0.3;

export async function demo(options: DemoOptions): Promise<void> {
  const steps = wholeNumber("steps", options.steps, [1, 100_000]);
  const seed = wholeNumber("seed", options.seed, [0, 2 ** 31 - 1]);
  const threads = wholeNumber("threads", options.threads, [1, 64]);
  const started = performance.now();
  const seconds = (): string => `${((performance.now() - started) / 1000).toFixed(0)} s`;

  console.log("drawing a labelled city, then training a narrow DeepLabV3+ on it: each step is one ONNX graph");
  const results = await firstLook({
    runtime: nodeRuntime({ threads }),
    plan: { ...plans.quick, steps },
    seed,
    onDrawn: (pictures) => console.log(`drew ${pictures} pictures in ${seconds()}`),
    onStep(step, loss) {
      if (step === 1 || step % 50 === 0 || step === steps)
        console.log(`step ${step}/${steps}  loss ${loss.toFixed(3)}  ${seconds()}`);
    },
  });

  console.log(`\n${pc.bold("place".padEnd(10))} ${pc.bold("accuracy")}   ${pc.bold("AUROC of max-softmax")}`);
  for (const { place, accuracy, auroc } of results) {
    console.log(
      `${place.padEnd(10)} ${accuracy.toFixed(3).padEnd(10)} ${auroc?.toFixed(3) ?? "-"}${place === "city" ? "   (where it was trained)" : ""}`,
    );
  }
  console.log(
    "\nAway from home it is wrong more often, and its certainty no longer tells where. That is what this project is about.",
  );

  await mkdir(options.to, { recursive: true });
  const path = join(options.to, "first-look.png");
  await writeFile(path, page(results));
  console.log(`pictures, predictions, and predictions without the pixels it doubts: ${path}  (${seconds()})`);
}

/** A row for each example: the picture, what was predicted, and the same with doubtful pixels blacked out. */
function page(results: readonly PlaceResult[]): Uint8Array {
  const examples = results.flatMap((result) => result.examples);
  const sheet = new Sheet(3, examples.length, examples[0]!.scene);
  const colours = classes.map(({ colour }) => colour);
  examples.forEach(({ scene, predicted, uncertainty }, row) => {
    const painted = overlay(scene.rgb, predicted, colours);
    [scene.rgb, painted, blackOut(painted, uncertainty, DOUBT)].forEach((tile, column) => {
      sheet.paste(tile, column, row);
    });
  });
  return encode({ width: sheet.width, height: sheet.height, data: sheet.rgb, channels: 3, depth: 8 });
}
