import { readFileSync } from "node:fs";
import { arch, cpus, platform, release } from "node:os";

/** Where a number was made: enough to tell two machines apart, nothing about who sits there. */
export function environment(): Record<string, string> {
  const processors = cpus();
  return {
    "gamma-ssl": programVersion(),
    node: process.version,
    system: `${platform()} ${release()} ${arch()}`,
    processor: `${processors[0]?.model.trim() ?? "unknown"}, ${processors.length} threads`,
  };
}

/** The version in package.json, which lies two folders up from here, both in src and in dist. */
export function programVersion(): string {
  const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  const { version } = JSON.parse(text) as { version: string };
  return version;
}
