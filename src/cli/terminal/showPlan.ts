import { print, printJson } from "../../platform/print.js";
import type { Library } from "./flags.js";
import { duration, noteText, screenOn } from "./trainStatus.js";

type Plan = Awaited<ReturnType<Library["planTraining"]>>;
type PlanOptions = Parameters<Library["planTraining"]>[1];

/** What a training would do and cost, without it. */
export async function showPlan(
  library: Library,
  settings: object,
  { json = false, verbose = false, ...options }: PlanOptions & { readonly json?: boolean; readonly verbose?: boolean },
): Promise<void> {
  const screen = screenOn(process.stderr);
  const plan = await library.planTraining(settings, {
    ...options,
    onEvent(event) {
      if (event.kind === "busy") screen.passing(event.what);
      if (event.kind === "note") screen.line(noteText(event, verbose));
    },
  });
  screen.passing("");
  if (json) printJson(plan, 1);
  else for (const line of planLines(plan, options.to)) print(line);
  if (plan.differsFromFolder.length > 0 || plan.bytes > plan.freeBytes) process.exitCode = 1;
}

const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(2)} GB`;

function* planLines(plan: Plan, to: string): Generator<string> {
  for (const [k, { name, steps, images, secondsPerStep, placement }] of plan.stages.entries()) {
    const each = secondsPerStep < 1 ? `${(1000 * secondsPerStep).toFixed(0)} ms` : `${secondsPerStep.toFixed(1)} s`;
    yield `stage ${k + 1} of ${plan.stages.length}: ${name}, ${steps} steps of ${images} images, ${each} each: ${duration(steps * secondsPerStep)}`;
    if (placement !== undefined) yield `  ${placementLine(placement)}`;
  }
  yield `together ${plan.steps} steps in about ${duration(plan.seconds)}, ${gigabytes(plan.memoryBytes)} of memory`;
  const short = plan.bytes > plan.freeBytes ? "NOT ENOUGH: " : "";
  yield `disk: ${short}about ${gigabytes(plan.bytes)} in ${to}, ${gigabytes(plan.freeBytes)} free`;
  if (plan.differsFromFolder.length > 0) {
    yield `${to} holds another run: ${plan.differsFromFolder.join("; ")}`;
    yield "use another folder (--to), or --overwrite to start over in this one";
  } else if (plan.continues) yield `${to} holds this training: it would continue`;
  yield "nothing was trained or written";
}

/** Where the nodes of a step were computed. */
function placementLine({ device, cpu, copies, copiedBytes }: NonNullable<Plan["stages"][number]["placement"]>): string {
  const ops = Object.entries(cpu).sort(([, a], [, b]) => b - a);
  const count = ops.reduce((total, [, nodes]) => total + nodes, 0);
  if (count === 0) return `all ${device} nodes on the device`;
  const named = ops.map(([op, nodes]) => (nodes === 1 ? op : `${nodes} ${op}`)).join(", ");
  return `${device} nodes on the device, ${count} on the CPU (${named}); ${copies} copies of ${copiedBytes} bytes in all between them`;
}
