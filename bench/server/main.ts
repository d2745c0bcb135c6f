/**
 * The server under load. Each part starts `gssl serve` as built, and prints one or a few lines.
 *
 *   npm run bench:server -- [--parts throughput,overload,slow,crashes,memory] [--seconds 120] [--rounds 3] [--requests 10000] [--kills 50] [--model tiny]
 *
 * The model is γ-SSL of the profile `small` at a height of 256 with random weights, or a tiny network; the image a JPEG of 512 x 1024. For
 * memory always the tiny network, and 200 sizes of images. Linux: it looks up processes in /proc. On a machine that does other things, time
 * of processors says more than images a second.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import sharp from "sharp";
import { small } from "../../src/methods/gamma-ssl/options.js";
import { exportedModel } from "../../test/exportedModel.js";
import { Client, counted, pause, percentile, stall } from "./client.js";
import { ServeProcess } from "./serveProcess.js";

const { values } = parseArgs({
  options: {
    parts: { type: "string", default: "throughput,overload,slow,crashes,memory" },
    seconds: { type: "string", default: "120" },
    rounds: { type: "string", default: "3" },
    requests: { type: "string", default: "10000" },
    kills: { type: "string", default: "50" },
    model: { type: "string", default: "small" },
  },
});
const main = fileURLToPath(new URL("../../../../dist/cli/main.js", import.meta.url));
const root = await mkdtemp(join(tmpdir(), "bench-server-"));
const model = join(root, `${values.model}.onnx`);
const tiny = join(root, "tiny.onnx");
const imageFile = join(root, "image.jpg");

/** Something with edges and noise, which compresses like a photo. */
async function photo(width: number, height: number): Promise<Buffer> {
  const rgb = Uint8Array.from({ length: width * height * 3 }, (_, i) => {
    const [x, y] = [Math.floor(i / 3) % width, Math.floor(i / 3 / width)];
    return 128 + 60 * Math.sin(x / 17) + 40 * Math.sin(y / 9 + x / 50) + ((i * 2654435761) % 23);
  });
  return sharp(rgb, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 85 })
    .toBuffer();
}

/** Of a model, by default; that many requests are computed at a time. */
const PROCESSES = 2;
const image = await photo(1024, 512);
const ms = (value: number): string => `${value.toFixed(value < 100 ? 1 : 0)} ms`;
const median = (list: readonly number[]): number => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)]!;
const say = (text: string): void => console.log(`${text}  [load ${loadavg()[0]!.toFixed(1)}]`);

/** Images a second, and seconds of processors for each. */
interface Rate {
  readonly rate: number;
  readonly cost: number;
}

/** Of a `Segmenter` alone in a process, with all cores. */
async function inProcess(seconds: number): Promise<Rate> {
  const library = new URL("../index.js", `file://${main}`).href;
  const code = `import { Segmenter } from ${JSON.stringify(library)};
    const segmenter = await Segmenter.open(${JSON.stringify(model)});
    const file = ${JSON.stringify(imageFile)};
    for (let i = 0; i < 3; i++) await segmenter.segment(file);
    const [begun, used] = [performance.now(), process.cpuUsage()];
    let count = 0;
    while (performance.now() - begun < ${1000 * seconds}) { await segmenter.segment(file); count++; }
    const { user, system } = process.cpuUsage(used);
    const rate = (1000 * count) / (performance.now() - begun);
    process.stdout.write(JSON.stringify({ rate, cost: (user + system) / 1e6 / count }));`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", code], { stdio: ["ignore", "pipe", "inherit"] });
  let out = "";
  child.stdout.on("data", (text) => {
    out += text;
  });
  await once(child, "close");
  return JSON.parse(out) as Rate;
}

async function rateAt(server: ServeProcess, concurrency: number, seconds: number): Promise<Rate> {
  const client = new Client(server.url, concurrency);
  const warm = performance.now() + 2000;
  await client.closedLoop(concurrency, image, () => performance.now() > warm);
  const [begun, used] = [performance.now(), server.processorSeconds];
  const outcomes = await client.closedLoop(concurrency, image, () => performance.now() - begun > 1000 * seconds);
  client.close();
  const count = outcomes.filter(({ status }) => status === 200).length;
  return { rate: (1000 * count) / (performance.now() - begun), cost: (server.processorSeconds - used) / count };
}

const parts: Readonly<Record<string, () => Promise<void>>> = {
  async throughput() {
    const rates: Record<"alone" | "four" | "sixteen", Rate[]> = { alone: [], four: [], sixteen: [] };
    const seconds = Math.max(5, Number(values.seconds) / 8);
    // In turns: other load on the machine then meets all of them.
    for (let round = 0; round < Number(values.rounds); round++) {
      rates.alone.push(await inProcess(seconds));
      const server = await ServeProcess.start(main, model);
      rates.four.push(await rateAt(server, 4, seconds));
      rates.sixteen.push(await rateAt(server, 16, seconds));
      await server.stop();
    }
    const show = (name: keyof typeof rates): string => rates[name].map(({ rate }) => rate.toFixed(1)).join(" ");
    const ratio = (name: keyof typeof rates): string =>
      median(rates[name].map(({ rate }, i) => rate / rates.alone[i]!.rate)).toFixed(2);
    const cost = (name: keyof typeof rates): string => ms(1000 * median(rates[name].map((one) => one.cost)));
    say(
      `throughput, images/s in turns: in process ${show("alone")}; 4 clients ${show("four")}; 16 clients ${show("sixteen")}`,
    );
    say(`  median of ratios: ${ratio("four")}x with 4 clients, ${ratio("sixteen")}x with 16`);
    say(
      `  time of processors per image: in process ${cost("alone")}; 4 clients ${cost("four")}; 16 clients ${cost("sixteen")}`,
    );
  },

  async overload() {
    const server = await ServeProcess.start(main, model);
    const { rate: capacity } = await rateAt(server, 8, 10);
    const alone = new Client(server.url, PROCESSES);
    const until = performance.now() + 5000;
    const service = percentile(await alone.closedLoop(PROCESSES, image, () => performance.now() > until), 50);
    alone.close();
    const [client, probe] = [new Client(server.url, 900), new Client(server.url, 4)];
    const seconds = Number(values.seconds);
    const [outcomes, live] = await Promise.all([
      client.openLoop(10 * capacity, seconds, "/v1/segment", image),
      probe.openLoop(10, seconds, "/v2/health/live"),
    ]);
    const [accepted, refused] = [200, 503].map((wanted) => outcomes.filter(({ status }) => status === wanted));
    say(
      `overload, ${(10 * capacity).toFixed(0)} requests/s for ${seconds} s at a capacity of ${capacity.toFixed(1)}: ${counted(outcomes)}`,
    );
    say(
      `  accepted: p50 ${ms(percentile(accepted!, 50))}, p99 ${ms(percentile(accepted!, 99))}, that is ${(percentile(accepted!, 99) / service).toFixed(0)} times the ${ms(service)} of a request that need not wait, and ${((percentile(accepted!, 99) * capacity) / 1000).toFixed(0)} times 1 / capacity`,
    );
    say(
      `  refused: p50 ${ms(percentile(refused!, 50))}, p99 ${ms(percentile(refused!, 99))}; live: ${counted(live)}, p99 ${ms(percentile(live, 99))}`,
    );
    const begun = performance.now();
    const { status } = await client.ask("/v1/segment", image);
    say(`  the next request afterwards: ${status} after ${ms(performance.now() - begun)}`);
    for (const one of [client, probe]) one.close();
    await server.stop();
  },

  async slow() {
    const server = await ServeProcess.start(main, model);
    const client = new Client(server.url, 2);
    const good = async (seconds: number) => {
      const until = performance.now() + 1000 * seconds;
      return client.closedLoop(2, image, () => performance.now() > until);
    };
    await good(3);
    const before = await good(35);
    const head = "POST /v1/segment HTTP/1.1\r\nHost: localhost\r\n";
    const headers = Array.from({ length: 500 }, () => stall(server.url, head));
    const bodies = Array.from({ length: 200 }, () => stall(server.url, `${head}Content-Length: 100000\r\n\r\nabc`));
    const during = await good(35);
    const [slowHeaders, slowBodies] = await Promise.all([Promise.all(headers), Promise.all(bodies)]);
    say(
      `slow clients: 500 without headers ${counted(slowHeaders)} within ${ms(percentile(slowHeaders, 100))}; 200 without body ${counted(slowBodies)} within ${ms(percentile(slowBodies, 100))}`,
    );
    say(
      `  two good clients before ${counted(before)}, p50 ${ms(percentile(before, 50))}, p99 ${ms(percentile(before, 99))}; beside them ${counted(during)}, p50 ${ms(percentile(during, 50))}, p99 ${ms(percentile(during, 99))}`,
    );
    client.close();
    await server.stop();
  },

  async crashes() {
    const server = await ServeProcess.start(main, model);
    const client = new Client(server.url, 8);
    let over = false;
    const loop = client.closedLoop(2, image, () => over);
    const kills = Number(values.kills);
    const restarts: number[] = [];
    let notReady = 0;
    for (let i = 0; i < kills; i++) {
      process.kill(server.computing[0]!, i % 2 === 0 ? "SIGKILL" : "SIGSEGV");
      const begun = performance.now();
      await pause(50);
      if ((await client.ask("/v2/health/ready")).status === 503) notReady++;
      while ((await server.restarts()) <= i) await pause(50);
      restarts.push(performance.now() - begun);
    }
    over = true;
    const outcomes = await loop;
    say(`crashes: ${kills} kills; two clients ${counted(outcomes)}; ready was 503 after ${notReady} of them`);
    say(
      `  another process had loaded the model after ${ms(restarts[0]!)} at first, ${ms(median(restarts))} in the middle, ${ms(Math.max(...restarts))} at most (back-off)`,
    );
    while ((await client.ask("/v2/health/ready")).status !== 200) await pause(1000);
    const { status } = await client.ask("/v1/segment", image);
    say(`  ready again when a minute had passed; a request then: ${status}`);
    client.close();
    await server.stop();
  },

  async memory() {
    const images = await Promise.all(Array.from({ length: 200 }, (_, i) => photo(200 + 2 * i, 256)));
    const server = await ServeProcess.start(main, tiny);
    const client = new Client(server.url, 4);
    const total = Number(values.requests);
    let asked = 0;
    const lines: string[] = [];
    const bad: number[] = [];
    const one = async (): Promise<void> => {
      while (asked < total) {
        const i = asked++;
        const { status } = await client.ask("/v1/segment?output=certain", images[i % images.length]);
        if (status !== 200) bad.push(status);
        if ((i + 1) % (total / 10) === 0) {
          const { http, computing } = server.megabytes;
          lines.push(`${i + 1}: ${http.toFixed(0)} + ${computing.toFixed(0)}`);
        }
      }
    };
    await Promise.all(Array.from({ length: 4 }, one));
    say(
      `memory in MB, HTTP + computing, over ${total} requests of 200 sizes (${bad.length} failed): ${lines.join(", ")}`,
    );
    client.close();
    await server.stop();
  },
};

try {
  await writeFile(join(root, "small.onnx"), await exportedModel({ network: small.network, height: 256 }));
  await writeFile(tiny, await exportedModel());
  await writeFile(imageFile, image);
  say(`image of ${(image.length / 1024).toFixed(0)} KB`);
  for (const part of values.parts.split(",")) await parts[part]!();
} finally {
  await rm(root, { recursive: true, force: true });
}
