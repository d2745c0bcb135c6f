import { connect } from "node:net";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

/** The server and its page as built: its processes run what Node can run. */
export const { serve, siteFiles, watch } = (await import(
  pathToFileURL(resolve("dist/index.js")).href
)) as typeof import("../src/index.js");

/** Bytes as they are to a server, and all that it answers until it closes the connection. */
export function talk(url: string, parts: readonly (string | Uint8Array)[]): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((done) => {
    let answer = "";
    const socket = connect(Number(port), hostname, () => {
      for (const part of parts) socket.write(part);
    });
    socket.on("data", (piece) => {
      answer += piece.toString("latin1");
    });
    // A reset is an end as well; what came before it counts.
    socket.on("error", () => {});
    socket.on("close", () => done(answer));
  });
}

/** Until something holds. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((done) => setTimeout(done, 20));
}
