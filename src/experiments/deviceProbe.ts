import { openDevice } from "../engine/runtime/device.js";
import { packError } from "../platform/errors.js";
import type { Device } from "../platform/watching.js";

/**
 * A process that tries a device and tells null, or what is wrong with it: drivers write to standard error on their own, and some end the
 * process. `gssl doctor` starts it.
 */
const fault = await openDevice({ device: process.argv[2] as Device }).then(() => null, packError);
process.send!({ fault });
process.disconnect();
