import { paper, profileViews } from "../methods/gamma-ssl/options.js";
import { type GammaConfig, isSection } from "./config.js";

/** How a training of γ-SSL departs from the paper's settings: a line for each group of options, with the paper's value in brackets. */
export function departures({ options, view }: Pick<GammaConfig, "options" | "view">): string[] {
  const [own, printed] = [
    { ...options, view },
    { ...paper, view: profileViews.paper },
  ];
  return Object.entries(own).flatMap(([name, value]) => {
    const changed = leaves(value, (printed as Record<string, unknown>)[name]);
    return changed.length === 0 ? [] : [`${name}: ${changed.join(", ")}`];
  });
}

function leaves(own: unknown, printed: unknown, path = ""): string[] {
  if (isSection(own) && isSection(printed)) {
    const there = printed as Record<string, unknown>;
    return Object.entries(own).flatMap(([key, value]) =>
      leaves(value, there[key], path === "" ? key : `${path}.${key}`),
    );
  }
  const [here, there] = [own, printed].map(shown);
  return here === there ? [] : [`${path === "" ? "" : `${path} `}${here} (${there})`];
}

/** A number at the length a person would write it. */
const shown = (value: unknown): string => {
  if (typeof value === "number") return String(Number(value.toPrecision(3)));
  if (Array.isArray(value)) return value.map(shown).join(" to ");
  return value === undefined ? "none" : String(value);
};
