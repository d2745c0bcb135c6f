import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    globalSetup: "test/build.ts",
    // onnxruntime-node keeps native threads, which a process may own and a worker thread may not.
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 60_000,
  },
});
