import type { Command } from "commander";

export function addReport(program: Command): void {
  program
    .command("report")
    .description("one HTML file with tables, curves and images that follow a threshold; opens offline")
    .argument("<runs...>", "run folders")
    .option("--to <file>", "where to write it; report.html in the first run folder when left out")
    .action(async (runs, options) => (await import("../report.js")).report(runs, options));
}
