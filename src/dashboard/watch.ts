import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { UserError } from "../platform/errors.js";
import { nearest } from "../platform/nearest.js";
import { shellWord } from "../platform/printable.js";
import { runFiles } from "../runs/runFiles.js";
import { requireSafe } from "../server/http/guard.js";
import { builtPage } from "../viewer/builtPage.js";
import { WatchedRun } from "./watchedRun.js";

/** How a dashboard is served. */
export interface WatchOptions {
  /** Address to listen on; 127.0.0.1 when left out. Any other than this machine's own needs a token. */
  readonly host?: string | undefined;
  /** A free one when left out. */
  readonly port?: number | undefined;
  /** Needed by every request, as a bearer token or as a password. */
  readonly token?: string | undefined;
  /** Folders may be missing, because trainings are about to begin in them; false when left out. */
  readonly awaited?: boolean | undefined;
  /** Called with what an operator should know. */
  readonly onNote?: ((message: string) => void) | undefined;
}

/** A dashboard that listens. */
export interface RunningDashboard {
  /** e.g. "http://127.0.0.1:41873" */
  readonly url: string;
  /** Tell open pages how the runs are doing once more, and end. */
  close(): Promise<void>;
}

/** More curves cannot be told apart. */
const MOST_RUNS = 14;

/** Where the build leaves the page: beside this file. */
const PAGE = new URL("page", import.meta.url);

/** Milliseconds: a page asks for little. */
const timeouts = { headers: 10_000, request: 30_000, answer: 30_000, drain: 2000 };

/**
 * Serve a page that shows trainings as they go: losses, γ, certain and consistent shares, validations, sample predictions, from the files
 * of their run folders. They may be under way, over, or not begun; nothing is written to them, and they are not slowed.
 */
export async function watch(runs: readonly string[], options: WatchOptions = {}): Promise<RunningDashboard> {
  const { host = "127.0.0.1", port = 0, token, awaited = false, onNote = () => {} } = options;
  requireSafe(host, token);
  const watched = await Promise.all(namedRuns(runs).map(([name, folder]) => openFolder(folder, name, awaited)));
  // These take a moment to load, and training must not be delayed by them.
  const [{ makeDashboard }, { listen }, { SiteAnswers }] = await Promise.all([
    import("./app.js"),
    import("../server/http/listen.js"),
    import("../server/http/site.js"),
  ]);
  const site = new SiteAnswers();
  site.set(await builtPage(PAGE));
  const ending = new AbortController();
  const closing = ending.signal;
  const stopping = (): boolean => closing.aborted;
  const app = makeDashboard({ ...{ runs: watched, site, closing, host, token, onNote, stopping } });
  const http = await listen(app, { host, port, timeouts });
  return {
    url: http.url,
    async close() {
      ending.abort();
      http.stop();
      await http.closed();
    },
  };
}

/** Folders by the shortest name that tells them apart: their own, with the folder they lie in, or as they were typed. */
function namedRuns(runs: readonly string[]): [name: string, folder: string][] {
  const folders = [...new Map(runs.map((run) => [resolve(run), run])).values()];
  if (folders.length === 0 || folders.length > MOST_RUNS) {
    throw new UserError(`a dashboard of ${folders.length} runs: wanted 1 to ${MOST_RUNS}`, { code: "bad-option" });
  }
  const namings = [
    (folder: string): string => basename(resolve(folder)),
    (folder: string): string => join(basename(dirname(resolve(folder))), basename(resolve(folder))),
    (folder: string): string => folder,
  ];
  const naming = namings.find((name) => new Set(folders.map(name)).size === folders.length)!;
  return folders.map((folder) => [naming(folder), folder]);
}

/** What can never be a run is refused. An empty folder can: a training may begin in it. */
async function openFolder(folder: string, name: string, awaited: boolean): Promise<WatchedRun> {
  if (!existsSync(folder) && !awaited) {
    const beside = await readdir(dirname(resolve(folder))).catch(() => [] as string[]);
    const meant = nearest(basename(resolve(folder)), beside);
    throw new UserError(`${folder} is not there`, {
      hint:
        meant === undefined
          ? "a run folder is what gssl train writes with --to"
          : `did you mean ${join(dirname(folder), meant)}?`,
      code: "bad-option",
    });
  }
  const inside = await readdir(folder).catch(() => [] as string[]);
  const own = Object.values(runFiles).some((file) => inside.includes(file)) || inside.includes("run.lock");
  const runs = own ? [] : inside.filter((one) => existsSync(join(folder, one, runFiles.log)));
  if (runs.length > 0) {
    throw new UserError(`${folder} is a folder of ${runs.length} runs, wanted a run`, {
      hint: `gssl watch ${runs
        .slice(0, 2)
        .map((run) => shellWord(join(folder, run)))
        .join(" ")}${runs.length > 2 ? " …" : ""}`,
      code: "bad-option",
    });
  }
  if (!own && inside.length > 0) {
    throw new UserError(`${folder} is no run folder`, {
      hint: "a run folder is what gssl train writes with --to",
      code: "bad-option",
    });
  }
  return new WatchedRun(folder, name);
}
