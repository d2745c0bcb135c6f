import type { Command as Commander, CommanderError } from "commander";
import { UserError } from "../platform/errors.js";
import { nearest } from "../platform/nearest.js";

/** A command line that commander refuses, in our words and with what was probably meant. Help and version are no errors. */
export function misuse(error: CommanderError, at: Commander): Error {
  if (error.exitCode === 0 || error.code === "commander.help") return error;
  const command = pathOf(at).join(" ");
  const [message, hint] = inWords(error, at, command);
  return new UserError(message, { hint: hint ?? `${command} --help shows what it takes`, code: "bad-option" });
}

/** "gssl", "study", "threshold" */
const pathOf = (at: Commander): string[] => [...(at.parent === null ? [] : pathOf(at.parent)), at.name()];

function inWords({ code, message }: CommanderError, at: Commander, command: string): [message: string, hint?: string] {
  const named = /'([^']*)'/.exec(message)?.[1] ?? "";
  const short = pathOf(at).slice(1).join(" ");
  if (code === "commander.unknownCommand") {
    const meant = nearest(
      named,
      at.commands.map((one) => one.name()),
    );
    const suggestion = meant === undefined ? "" : `did you mean "${command} ${meant}"? `;
    return [`there is no command "${`${short} ${named}`.trim()}"`, `${suggestion}${command} --help lists the commands`];
  }
  if (code === "commander.unknownOption") {
    const flag = named.replace(/=.*/s, "");
    const known = at.options.map(({ long }) => (long ?? "").slice(2));
    const meant = nearest(flag.replace(/^-+/, ""), known);
    const suggestion = meant === undefined ? "" : `did you mean --${meant}? `;
    return [`${short || command} has no flag ${flag}`, `${suggestion}${command} --help lists its flags`];
  }
  if (code === "commander.missingArgument") {
    const word = at.registeredArguments.find((one) => one.name() === named);
    return [`${short}: <${named}> is missing${word?.description ? `: ${word.description}` : ""}`];
  }
  if (code === "commander.missingMandatoryOptionValue") {
    const option = at.options.find(({ flags }) => flags === named);
    return [`${short}: ${named} is missing${option?.description ? `: ${option.description}` : ""}`];
  }
  if (code === "commander.optionMissingArgument") return [`${short}: the value of ${named} is missing`];
  if (code === "commander.excessArguments") {
    const count = at.registeredArguments.length;
    const words = count === 0 ? "no words" : count === 1 ? "one word" : `${count} words`;
    return [`${short} takes ${words} without a flag, got: ${at.args.join(" ")}`];
  }
  return [message.replace(/^error: /, "")];
}
