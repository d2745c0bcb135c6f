import type { Command } from "commander";

export function addScenes(program: Command): void {
  const scenes = program.command("scenes").description("the driving world that is drawn by the program");
  scenes
    .command("preview")
    .description("write a contact sheet of each place: images, and their labels beneath")
    .argument("[places...]", "city, town, forest, foothills, highland, wild; all when none is named")
    .option("--to <folder>", "where to write the sheets", "runs/scenes")
    .option("--seed <n>", "seed of the images", "0")
    .action(async (places, options) => (await import("../scenesPreview.js")).scenesPreview(places, options));

  scenes
    .command("measure")
    .description("train a narrow network on the drawn city and measure how far away the other places are")
    .option("--seed <n>", "seed of images and weights", "0")
    .option("--threads <n>", "threads to compute with; results do not depend on it", "2")
    .option("--json", "print the results as JSON and nothing else")
    .action(async (options) => (await import("../scenesMeasure.js")).scenesMeasure(options));
}
