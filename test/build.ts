import { execFileSync } from "node:child_process";

/** Threads run what Node can run: the tests that start them use the build, which is brought up to date first. */
export default function build(): void {
  execFileSync("node_modules/.bin/tsc", ["-p", "tsconfig.build.json"], { stdio: "inherit" });
}
