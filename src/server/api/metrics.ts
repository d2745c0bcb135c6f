import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const SHARES = [0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1];

/** What is known of a model when metrics are read. */
interface ModelNow {
  readonly name: string;
  readonly queued: number;
  readonly running: number;
  readonly ready: boolean;
}

/**
 * What Prometheus reads. Labels are routes of our list, status codes and names of models, never anything of a request: their number does
 * not grow.
 */
export class Metrics {
  readonly #registry = new Registry();
  readonly requests = this.#counter("gssl_requests_total", "Requests answered.", ["route", "status"]);
  readonly restarts = this.#counter("gssl_process_restarts_total", "Processes started again.", ["model"]);
  readonly reloads = this.#counter("gssl_reloads_total", "Model files read again.", ["model", "result"]);
  readonly seconds = this.#histogram("gssl_request_seconds", "From headers to answer.", ["route"], SECONDS);
  readonly computing = this.#histogram("gssl_compute_seconds", "In a process, per answer.", ["model"], SECONDS);
  readonly uncertain = this.#histogram("gssl_uncertain_share", "Share of uncertain pixels.", ["model"], SHARES);

  constructor(models: () => readonly ModelNow[]) {
    collectDefaultMetrics({ register: this.#registry });
    this.#gauge("gssl_queue_length", "Requests that wait.", models, ({ queued }) => queued);
    this.#gauge("gssl_running", "Requests that are computed.", models, ({ running }) => running);
    this.#gauge("gssl_ready", "1 where the model answers requests.", models, ({ ready }) => Number(ready));
  }

  get type(): string {
    return this.#registry.contentType;
  }

  text(): Promise<string> {
    return this.#registry.metrics();
  }

  #counter<Label extends string>(name: string, help: string, labelNames: readonly Label[]): Counter<Label> {
    return new Counter({ name, help, labelNames, registers: [this.#registry] });
  }

  #histogram<Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[],
    buckets: number[],
  ): Histogram<Label> {
    return new Histogram({ name, help, labelNames, buckets, registers: [this.#registry] });
  }

  #gauge(name: string, help: string, models: () => readonly ModelNow[], value: (model: ModelNow) => number): void {
    new Gauge({
      ...{ name, help, labelNames: ["model"], registers: [this.#registry] },
      collect() {
        for (const model of models()) this.set({ model: model.name }, value(model));
      },
    });
  }
}
