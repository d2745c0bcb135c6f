import pc from "picocolors";
import { print, printJson } from "../../platform/print.js";
import { command } from "../terminal/command.js";
import { printNext } from "../terminal/next.js";
import { json } from "../terminal/shared.js";

const marks = { fine: "ok     ", missing: "missing", wrong: pc.bold("wrong  ") } as const;

export const doctor = command({
  name: "doctor",
  about: "what this machine has, a self-test, and the cure for what is missing",
  words: {},
  flags: { json },
  async run({ json }, { library }) {
    const findings = await library.doctor();
    if (json) printJson(findings, 1);
    else {
      for (const { what, found, state, cure } of findings) {
        print(`${marks[state]}  ${what}: ${found}${cure === undefined ? "" : `\n         ${cure}`}`);
      }
    }
    if (findings.some(({ state }) => state === "wrong")) process.exitCode = 1;
    else if (!json) printNext("demo");
  },
});
