import type { MatchReport } from "./matchWeights.js";
import { quoted } from "./refusal.js";

const MOST_GROUPS = 6;

/**
 * A report in a few lines for people: one for what was loaded, one for each group of names that was not.
 *
 *   resnet18.pth: 102 of 185 tensors loaded
 *     encoder. put before 102 names
 *     decoder.* (81), segmentation_head.* (2) not in the file: keep their first values
 *     fc.* (2) in the file, not in this network: left out
 */
export function describeMatch(report: MatchReport): string[] {
  const { file, matched, missing, unexpected, skipped, wrongShape, renamed } = report;
  const ours = [...matched, ...missing, ...wrongShape.map(({ name }) => name)];
  const lines = [`${file}: ${matched.length} of ${ours.length} tensors loaded`];
  for (const { off, on, count } of renamed) {
    const how = [off && `${shown(off)} taken off`, on && `${shown(on)} put before`].filter((one) => one !== "");
    lines.push(`  ${how.join(" and ")} ${count} names`);
  }
  if (missing.length > 0) lines.push(`  ${grouped(missing, ours)} not in the file: keep their first values`);
  // A name of the file counts as wholly unexpected only if nothing under it was used.
  if (unexpected.length > 0)
    lines.push(`  ${grouped(unexpected, [...unexpected, ...matched])} in the file, not in this network: left out`);
  for (const { name, found, wanted } of wrongShape)
    lines.push(`  ${shown(name)} is [${found.join(", ")}], wanted [${wanted.join(", ")}]`);
  if (skipped.length > 0) lines.push(`  whole numbers, e.g. counters, not needed: ${skipped.length}`);
  return lines;
}

/** Control characters must not reach a terminal; names without any are shown plainly. */
const shown = (text: string): string => (/^[\x21-\x7e]{1,120}$/.test(text) ? text : quoted(text));

/** Names gathered under the shortest prefix that stands for none but them: `decoder.* (81)`. */
function grouped(names: readonly string[], all: readonly string[]): string {
  const here = prefixCounts(names);
  const anywhere = prefixCounts(all);
  const groups = new Map<string, number>();
  for (const name of names) {
    const whole = prefixesOf(name).find((prefix) => here.get(prefix)! > 1 && here.get(prefix) === anywhere.get(prefix));
    const group = whole === undefined ? name : `${whole}*`;
    groups.set(group, (groups.get(group) ?? 0) + 1);
  }
  const said = [...groups].map(([group, count]) => (count === 1 ? shown(group) : `${shown(group)} (${count})`));
  const more = said.length - MOST_GROUPS;
  return more > 0 ? `${said.slice(0, MOST_GROUPS).join(", ")} and ${more} more` : said.join(", ");
}

/** `a.`, `a.b.` of `a.b.c`, the shortest first. */
const prefixesOf = (name: string): string[] =>
  name
    .split(".")
    .slice(0, -1)
    .map((_, i, parts) => `${parts.slice(0, i + 1).join(".")}.`);

function prefixCounts(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) for (const prefix of prefixesOf(name)) counts.set(prefix, (counts.get(prefix) ?? 0) + 1);
  return counts;
}
