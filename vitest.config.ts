import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    globalSetup: "test/build.ts",
    // onnxruntime-node keeps native threads, which a process may own and a worker thread may not.
    pool: "forks",
    maxWorkers: 2,
    // Tests read what commands print; with CI or FORCE_COLOR set it would be in colour.
    env: { NO_COLOR: "1" },
    // For what hangs, not for what is slow: a busy machine takes many times as long as an idle one.
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});
