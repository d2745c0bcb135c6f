import { openDevice } from "../engine/runtime/device.js";
import type { Device } from "../platform/device.js";
import { UserError } from "../platform/errors.js";

/**
 * A process that tries a device and prints null, or what is wrong with it: drivers write to standard error on their own, and some end the
 * process. `gssl doctor` starts it.
 */
const fault = await openDevice({ device: process.argv[2] as Device }).then(
  () => null,
  (error: unknown) => {
    const { message } = error instanceof Error ? error : new Error(String(error));
    return {
      message: message.replace(/^--device \w+: /, ""),
      hint: error instanceof UserError ? error.hint : undefined,
    };
  },
);
process.stdout.write(JSON.stringify(fault));
