import { Hono } from "hono";
import { type SSEStreamingApi, streamSSE } from "hono/streaming";
import { errorAnswer } from "../server/http/errorAnswer.js";
import { type Env, type Secured, secure } from "../server/http/secure.js";
import { ServingError } from "../server/http/servingError.js";
import type { SiteAnswers } from "../server/http/site.js";
import type { Snapshot } from "./protocol.js";
import type { WatchedRun } from "./watchedRun.js";

/** What the routes need. */
export interface DashboardParts extends Secured {
  readonly runs: readonly WatchedRun[];
  /** The page. */
  readonly site: SiteAnswers;
  /** Aborted when the server ends: streams then send a last snapshot. */
  readonly closing: AbortSignal;
}

/** Milliseconds between two snapshots. */
const PAUSE = 1000;

/** The HTTP side: the page, a stream of how the runs are doing, and their sample predictions. It only reads. */
export function makeDashboard(parts: DashboardParts): Hono<Env> {
  const { runs, site, closing } = parts;
  const app = new Hono<Env>({ strict: true });
  secure(app, parts);

  const follow = async (stream: SSEStreamingApi): Promise<void> => {
    let sent: readonly string[] = [];
    while (!stream.aborted) {
      const ending = closing.aborted;
      await Promise.all(runs.map((run) => (ending ? run.lookNow() : run.look())));
      const now = snapshot(runs, sent, ending);
      await stream.writeSSE({ data: JSON.stringify(now) });
      sent = now.runs.map(({ revision }) => revision);
      if (ending) return;
      // A long log arrives in pieces.
      if (now.runs.every(({ read }) => read === 1)) await pause(PAUSE, closing);
    }
  };
  app.get("/events", (c) => streamSSE(c, follow, async ({ stack }) => parts.onNote(`failed: ${stack}`)));

  const runOf = (index: string): WatchedRun => {
    const run = /^\d{1,3}$/.test(index) ? runs[Number(index)] : undefined;
    if (run === undefined) throw new ServingError(404, "there is no such run");
    return run;
  };
  app.get("/runs/:run/samples/:step", async (c) => {
    const [run, step] = [runOf(c.req.param("run")), c.req.param("step")];
    const bytes = /^\d{1,15}$/.test(step) ? await run.sample(Number(step)) : null;
    if (bytes === null) throw new ServingError(404, "there are no sample predictions of this step");
    return c.body(bytes as Uint8Array<ArrayBuffer>, 200, { "Content-Type": "image/jpeg" });
  });

  app.notFound((c) => {
    const asked = c.req.method === "GET" || c.req.method === "HEAD";
    if (asked && site.has(c.req.path)) return site.answer(c.req.path, c.req.header("if-none-match"));
    return errorAnswer(new ServingError(404, "there is nothing at this address"));
  });
  return app;
}

/** How the runs are doing, with the curves that are not as they were sent. */
function snapshot(watched: readonly WatchedRun[], sent: readonly string[], ending: boolean): Snapshot {
  const runs = watched.map(({ status }) => status);
  const changed = runs.flatMap(({ revision }, i) => (revision === sent[i] ? [] : [[i, watched[i]!.curves()] as const]));
  return { runs, curves: Object.fromEntries(changed), ending };
}

/** Resolves after a while, or when the signal is aborted. */
const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done);
    if (signal.aborted) done();
  });
