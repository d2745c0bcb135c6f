import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { readJson } from "../../platform/json.js";

/** Which nodes of a program its device computed, as ONNX Runtime's own trace has it. */
export interface Placement {
  /** Nodes on the device. */
  readonly device: number;
  /** Nodes that it has no kernel for and the CPU computed instead, by op. */
  readonly cpu: Readonly<Record<string, number>>;
  /** Copies between the two in each run, and their bytes. */
  readonly copies: number;
  readonly copiedBytes: number;
}

/** A Chrome trace, as far as it is read. */
const traceSchema = z.array(
  z.object({
    cat: z.string().optional(),
    name: z.string(),
    args: z
      .object({
        op_name: z.string(),
        provider: z.string(),
        node_index: z.string(),
        output_size: z.string(),
      })
      .partial()
      .optional(),
  }),
);
type Trace = z.infer<typeof traceSchema>;

/** Calls `work` with a file prefix for the traces of a runtime (`profile`), and counts the nodes of every program that it closed. */
export async function placed<T>(work: (profile: string) => Promise<T>): Promise<{ result: T; placement: Placement }> {
  const folder = await mkdtemp(join(tmpdir(), "gssl-trace-"));
  try {
    const result = await work(join(folder, "trace"));
    const form = { schema: traceSchema, hint: "is there room for temporary files?" };
    const traces = await Promise.all((await readdir(folder)).map((name) => readJson(join(folder, name), form)));
    return { result, placement: placementOf(traces) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Each node counts once, however often it was run. */
function placementOf(traces: readonly Trace[]): Placement {
  const cpu: Record<string, number> = {};
  let [device, copies, copiedBytes] = [0, 0, 0];
  for (const events of traces) {
    const nodes = events.filter(({ cat, name }) => cat === "Node" && name.endsWith("_kernel_time"));
    for (const { args = {} } of new Map(nodes.map((event) => [event.args?.node_index, event])).values()) {
      const op = args.op_name ?? "?";
      if (op.startsWith("Memcpy")) {
        copies++;
        copiedBytes += Number(args.output_size ?? 0);
      } else if (args.provider === "CPUExecutionProvider") cpu[op] = (cpu[op] ?? 0) + 1;
      else device++;
    }
  }
  return { device, cpu, copies, copiedBytes };
}
