import { execFileSync } from "node:child_process";

/** Threads run what Node can run, and browsers the page: the tests that start them use the build, which is brought up to date first. */
export default function build(): void {
  execFileSync("npm", ["run", "--silent", "build"], { stdio: "inherit" });
}
