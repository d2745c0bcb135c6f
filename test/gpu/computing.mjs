// A process that computes for a test: it loads and runs models on the device named on its command line.
import { nodeRuntime } from "../../dist/engine/runtime/node.js";

const runtime = nodeRuntime({ device: process.argv[2] });
const programs = new Map();

/** A step is kept as a Stepper keeps it. */
const keeps = (results) => ["loss", "gradientNorm"].every((name) => Number.isFinite(results[name]?.data[0] ?? 0));

const answers = {
  async load({ program, model, signature }) {
    programs.set(program, await runtime.load(model, signature));
  },
  async loadStateful({ program, model, signature, carried }) {
    programs.set(program, await runtime.loadStateful(model, signature, carried));
  },
  run: ({ program, feeds }) => programs.get(program).run(feeds),
  async step({ program, feeds }) {
    const stateful = programs.get(program);
    const results = await stateful.run(feeds, keeps);
    return { results, movedBytes: stateful.movedBytes() };
  },
  state: ({ program }) => programs.get(program).state(),
  async close({ program }) {
    await programs.get(program).close();
    programs.delete(program);
  },
};

process.on("message", async ({ id, ask, ...rest }) => {
  try {
    process.send({ id, result: await answers[ask](rest) });
  } catch (error) {
    process.send({ id, error: error.message });
  }
});
