import { escapeText } from "../platform/escape.js";
import type { RunStory } from "./runStory.js";

/** What was trained, run by run: how the network came about whose numbers are below. */
export function storiesHtml(stories: readonly (RunStory | string)[]): string {
  if (stories.length === 0) return "";
  const parts = stories.map((story) =>
    typeof story === "string" ? `<p class="soft">${escapeText(story)}</p>` : one(story),
  );
  return `<section class="stories" aria-labelledby="trained"><h2 id="trained">What was trained</h2>${parts.join("")}</section>`;
}

function one(story: RunStory): string {
  const steps = story.stages.map(({ name, steps }) => `${name} ${steps.toLocaleString("en")}`).join(", ");
  const facts: readonly (readonly [string, string])[] = [
    ["method", story.method],
    ["source, labelled", story.source],
    ...story.targets.map((target) => ["target, unlabelled", target] as const),
    ["steps", steps],
    ["initial weights", story.weights ?? "random"],
    ["seed", String(story.seed)],
  ];
  const more = [
    ...(story.started === undefined ? [] : [["started", story.started] as const]),
    ...Object.entries(story.environment),
  ];
  const command = story.command === undefined ? "" : `<pre class="command">${escapeText(story.command)}</pre>`;
  const changed =
    story.departures.length === 0
      ? ""
      : `<p class="soft">Departs from the paper (its value in brackets) in</p><ul>${story.departures.map((line) => `<li>${escapeText(line)}</li>`).join("")}</ul>`;
  return `<article class="story card"><h3>${escapeText(story.run)}</h3>${list(facts)}<details><summary>command, departures from the paper, environment</summary>${command}${changed}${list(more)}</details></article>`;
}

const list = (pairs: readonly (readonly [string, string])[]): string =>
  `<dl>${pairs.map(([name, value]) => `<dt>${escapeText(name)}</dt><dd>${escapeText(value)}</dd>`).join("")}</dl>`;
