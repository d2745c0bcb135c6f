import { packError } from "../../platform/errors.js";
import { Answerer } from "./answerer.js";
import type { FromProcess, ToProcess } from "./job.js";

/** The child process that holds a model: loads it, then answers one job after the other. Only `ModelProcess` starts it. */

let answerer: Answerer | undefined;
// A parent that is gone takes nothing more, and its end is noticed below: an error without a callback would be thrown.
const tell = (message: FromProcess): void => void (process.connected && process.send!(message, () => {}));

// A terminal sends Ctrl-C to the whole group; the parent decides what it means.
process.on("SIGINT", () => {});
process.on("SIGTERM", () => {});
process.on("SIGHUP", () => {});
// The parent has closed the channel, or is gone.
process.on("disconnect", () => process.exit(0));

process.on("message", (message: ToProcess) => void handle(message));

async function handle(message: ToProcess): Promise<void> {
  try {
    if (message.kind === "load") {
      answerer = await Answerer.open(message.model, message.settings);
      tell({ kind: "ready" });
    } else tell({ kind: "answer", answer: await answerer!.answer(message.job) });
  } catch (error) {
    tell({ kind: "failed", error: packError(error) });
  }
}
