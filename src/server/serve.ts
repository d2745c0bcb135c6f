import { availableParallelism } from "node:os";
import { UserError } from "../platform/errors.js";
import { requireOrigins, requireSafe } from "./http/guard.js";
import type { RunningServer, ServeOptions } from "./options.js";
import { ModelPool } from "./pool/modelPool.js";
import { reloadModel } from "./pool/reloadModel.js";
import { namedFiles, readSource } from "./pool/servedModel.js";
import { watchFiles } from "./pool/watchFiles.js";

/** Bodies of requests that are held at a time, together: as many of the largest size, and never less than this. */
const HELD_BODIES = 32;

/**
 * Serve exported models over HTTP: files that `exportModel` wrote, each named as its file without .onnx, or as in "name=file". Computing is
 * done in processes of their own, which are started again when they end. Resolves when every model is loaded.
 */
export async function serve(models: readonly string[], options: ServeOptions = {}): Promise<RunningServer> {
  const { host = "127.0.0.1", port = 8000, token, allowOrigins = [], onNote = () => {} } = options;
  requireSafe(host, token);
  requireOrigins(allowOrigins, token);
  const sources = await Promise.all([...namedFiles(models)].map(([name, file]) => readSource(name, file)));
  const { processes = Math.min(2, availableParallelism()), mostBytes = 8 * 2 ** 20 } = options;
  const timeouts = { headers: 10_000, request: 30_000, answer: 30_000, drain: 30_000, ...options.timeouts };
  const settings = {
    processes,
    threads: options.threads ?? Math.max(1, Math.floor(availableParallelism() / processes)),
    queue: options.queue ?? 32,
    mostPixels: options.mostPixels ?? 50_000_000,
    answerWithin: timeouts.answer,
  };

  // These take a moment to load, and no other command needs them.
  const [{ makeApp }, { listen }, { Metrics }, { BodyBudget }, { SiteAnswers }] = await Promise.all([
    import("./api/app.js"),
    import("./http/listen.js"),
    import("./api/metrics.js"),
    import("./http/readBody.js"),
    import("./http/site.js"),
  ]);
  const pools: ModelPool[] = [];
  const metrics = new Metrics(() =>
    pools.map(({ model, queued, running, notReady }) => ({
      ...{ name: model.name, queued, running },
      ready: notReady === undefined,
    })),
  );
  for (const source of sources) {
    const model = source.name;
    const pool = new ModelPool(source, settings, {
      onNote,
      onRestart: () => metrics.restarts.inc({ model }),
      onAnswer(seconds, { certainShare }) {
        metrics.computing.observe({ model }, seconds);
        if (certainShare !== null) metrics.uncertain.observe({ model }, 1 - certainShare);
      },
    });
    pools.push(pool);
  }
  const site = new SiteAnswers();
  let madeSite = Promise.resolve();
  /** The page has the models that answer, whatever the files have become; of several pages that are asked for at once, the last one stays. */
  const makeSite = (): Promise<void> => {
    const made = madeSite.then(async () => {
      try {
        site.set((await options.site?.(pools.map(({ model }) => model))) ?? new Map());
      } catch (error) {
        if (!(error instanceof UserError)) throw error;
        onNote(`no page is served: ${error.message}`);
      }
    });
    madeSite = made.catch(() => {});
    return made;
  };
  let stopping = false;
  const app = makeApp({
    ...{ host, token, allowOrigins, metrics, onNote },
    models: new Map(pools.map((pool) => [pool.model.name, pool])),
    site,
    body: { most: mostBytes, budget: new BodyBudget(HELD_BODIES * mostBytes) },
    stopping: () => stopping,
  });
  const http = await listen(app, { host, port, timeouts });
  const reload = async (pool: ModelPool) => {
    const reloaded = await reloadModel(pool, onNote);
    if (reloaded.result === "replaced") await makeSite();
    metrics.reloads.inc({ model: reloaded.model, result: reloaded.result });
    return reloaded;
  };
  const close = async (): Promise<void> => {
    stopping = true;
    http.stop();
    await Promise.all(pools.map((pool) => pool.close(timeouts.drain)));
    await http.closed();
  };
  try {
    await Promise.all([makeSite(), ...pools.map((pool) => pool.start())]);
  } catch (error) {
    await close();
    throw error;
  }
  const unwatch = options.watch
    ? watchFiles(
        pools.map(({ model: { file } }) => file),
        (file) => void Promise.all(pools.filter(({ model }) => model.file === file).map(reload)),
      )
    : () => {};
  return {
    url: http.url,
    status: () =>
      pools.map(({ model: { name, file, sha256 }, notReady, pids, queued, running }) => ({
        ...{ name, file, sha256, notReady, pids, queued, running },
      })),
    reload: () => Promise.all(pools.map(reload)),
    async close() {
      unwatch();
      await close();
    },
  };
}
