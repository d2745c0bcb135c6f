// A process that computes for a test: it loads and runs models on the device named on its command line.
import { nodeRuntime } from "../../dist/engine/runtime/node.js";
import { placed } from "../../dist/engine/runtime/placement.js";

const device = process.argv[2];
const programs = new Map();

/** A step is kept as a Stepper keeps it. */
const keeps = (results) => ["loss", "gradientNorm"].every((name) => Number.isFinite(results[name]?.data[0] ?? 0));

/** A program with state, traced: when it is closed, it is known where its nodes were computed. */
function openTraced({ model, signature, carried }) {
  return new Promise((opened, failed) => {
    const traced = placed(async (profile) => {
      const program = await nodeRuntime({ device, profile }).loadStateful(model, signature, carried);
      await new Promise((over) => opened({ ...program, close: () => over() || traced.then((one) => one.placement) }));
      await program.close();
    });
    traced.catch(failed);
  });
}

const answers = {
  async load({ program, model, signature }) {
    programs.set(program, await nodeRuntime({ device }).load(model, signature));
  },
  async loadStateful({ program, ...given }) {
    programs.set(program, await openTraced(given));
  },
  run: ({ program, feeds }) => programs.get(program).run(feeds),
  async step({ program, feeds }) {
    const stateful = programs.get(program);
    const results = await stateful.run(feeds, keeps);
    return { results, movedBytes: stateful.movedBytes() };
  },
  state: ({ program }) => programs.get(program).state(),
  async close({ program }) {
    const placement = await programs.get(program).close();
    programs.delete(program);
    return placement;
  },
};

process.on("message", async ({ id, ask, ...rest }) => {
  try {
    process.send({ id, result: await answers[ask](rest) });
  } catch (error) {
    process.send({ id, error: error.message });
  }
});
