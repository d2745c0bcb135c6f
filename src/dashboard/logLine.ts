/** A line of `log.jsonl`: what was measured at a step. */
export interface StepLine {
  readonly step: number;
  /** Finite ones. */
  readonly numbers: readonly (readonly [name: string, value: number])[];
  /** Names of those that are not finite: JSON has null for them. */
  readonly lost: readonly string[];
}

/** Lists, one number a class, are most of a line and are not drawn: leaving them out halves the time to read a log. */
const LISTS = /,"[^"\\]*":\[[^\][{}"]*\]/g;

/** Null for a line without a step; undefined for one that is no JSON object. */
export function parseLine(text: string): StepLine | null | undefined {
  const found = parsed(text.replace(LISTS, ""));
  if (found === undefined) return undefined;
  const { step } = found;
  if (typeof step !== "number" || !Number.isFinite(step)) return null;
  const numbers: [string, number][] = [];
  const lost: string[] = [];
  for (const [name, value] of Object.entries(found)) {
    if (value === null) lost.push(name);
    else if (typeof value === "number" && name !== "step") numbers.push([name, value]);
  }
  return { step, numbers, lost };
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const found: unknown = JSON.parse(text);
    return typeof found === "object" && found !== null && !Array.isArray(found)
      ? (found as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
