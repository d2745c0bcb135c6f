import { Agent, request } from "node:http";
import { connect } from "node:net";

/** What came back of one request. */
export interface Outcome {
  /** The HTTP status; 0 where the connection was reset or refused. */
  readonly status: number;
  /** Why there is no status. */
  readonly failure?: string;
  readonly ms: number;
}

/** A client that keeps up to `connections` connections open. */
export class Client {
  readonly #url: string;
  readonly #agent: Agent;

  constructor(url: string, connections: number) {
    this.#url = url;
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections });
  }

  ask(path: string, body?: Uint8Array): Promise<Outcome> {
    const begun = performance.now();
    return new Promise((resolve) => {
      const done = (status: number): void => resolve({ status, ms: performance.now() - begun });
      const failed = (error: NodeJS.ErrnoException): void =>
        resolve({
          status: 0,
          failure: `${error.code ?? error.message}${asked.reusedSocket ? " on a kept connection" : ""}`,
          ms: performance.now() - begun,
        });
      const asked = request(
        this.#url + path,
        { agent: this.#agent, method: body === undefined ? "GET" : "POST" },
        (answer) => {
          answer.resume();
          answer.on("end", () => done(answer.statusCode!));
          answer.on("error", failed);
        },
      );
      asked.on("error", failed);
      asked.end(body);
    });
  }

  /** Ask without pause, `concurrency` at a time, until it is over. */
  async closedLoop(concurrency: number, body: Uint8Array, over: () => boolean): Promise<Outcome[]> {
    const outcomes: Outcome[] = [];
    const one = async (): Promise<void> => {
      while (!over()) outcomes.push(await this.ask("/v1/segment", body));
    };
    await Promise.all(Array.from({ length: concurrency }, one));
    return outcomes;
  }

  /** Ask so many times a second, whatever has been answered, for so many seconds. */
  async openLoop(rate: number, seconds: number, path: string, body?: Uint8Array): Promise<Outcome[]> {
    const asked: Promise<Outcome>[] = [];
    const begun = performance.now();
    for (;;) {
      const passed = (performance.now() - begun) / 1000;
      if (passed >= seconds) return Promise.all(asked);
      while (asked.length < passed * rate) asked.push(this.ask(path, body));
      await pause(5);
    }
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** A connection that sends a few bytes and then nothing: the status that it is answered with, 0 for none, and after how long. */
export function stall(url: string, bytes: string): Promise<Outcome> {
  const { hostname, port } = new URL(url);
  const begun = performance.now();
  return new Promise((resolve) => {
    let answer = "";
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.on("data", (piece) => {
      answer += piece.toString("latin1");
    });
    socket.on("error", () => {});
    socket.on("close", () => resolve({ status: Number(answer.slice(9, 12)), ms: performance.now() - begun }));
  });
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** A time that so many percent of the requests stay below. */
export function percentile(outcomes: readonly Outcome[], percent: number): number {
  const sorted = outcomes.map(({ ms }) => ms).sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((percent / 100) * sorted.length))] ?? Number.NaN;
}

/** "200: 1234, 503: 5" */
export function counted(outcomes: readonly Outcome[]): string {
  const counts = new Map<string, number>();
  for (const { status, failure } of outcomes) {
    const name = status === 0 ? `reset (${failure ?? "closed"})` : String(status);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([name, count]) => `${name}: ${count}`)
    .join(", ");
}
