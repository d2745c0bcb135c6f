import { openDevice } from "../../src/engine/runtime/device.js";
import { UserError } from "../../src/platform/errors.js";
import type { Device } from "../../src/platform/watching.js";

/** End with what is wrong where a device cannot be used. */
export async function requireDevice(device: string): Promise<void> {
  await openDevice({ device: device as Device }).catch((error: unknown) => {
    if (!(error instanceof UserError)) throw error;
    console.error(`bench: ${error.message}\n${error.hint ?? ""}`);
    process.exit(1);
  });
}

/** What to know of times measured on a GPU that is none; null where there is nothing to say. */
export function softwareGpu(device: string): string | null {
  const driver = /swiftshader|lvp_icd/.exec(process.env.VK_ICD_FILENAMES ?? "")?.[0];
  if (device === "cpu" || driver === undefined) return null;
  return `MEANINGLESS FOR SPEED: ${driver} computes on the CPU. These figures show only that it runs, and the losses.`;
}
