/** What a training leaves in its run folder (docs/training.md). Anything else in the folder is somebody's. */
export const runFiles = {
  config: "config.json",
  run: "run.json",
  log: "log.jsonl",
  checkpoints: "checkpoints",
  tensorBoard: "tensorboard",
  stages: "stages",
  weights: "weights.safetensors",
  gamma: "gamma.json",
  samples: "samples",
} as const;

/** The weights a training began with, in its folder: kept where they are another training's. */
export const startFile = `${runFiles.stages}/0-start.safetensors`;
