import type { Command } from "commander";

export function addCompare(program: Command): void {
  program
    .command("compare")
    .description("a table of results, best in bold")
    .argument("<paths...>", "run folders or result files")
    .option("--json", "print the table as JSON and nothing else")
    .option("--csv", "print it as comma-separated values")
    .option("--latex", "print it as LaTeX (booktabs, ulem)")
    .action(async (paths, options) => (await import("../compare.js")).compare(paths, options));
}
