import type { Computing } from "../engine/computing.js";

/** What computes, and why nothing faster does. */
export function Badge({ computing: { title, reason, kind } }: { readonly computing: Computing }) {
  return (
    <details class="badge">
      <summary>
        <span class={`lamp ${kind}`} aria-hidden="true" />
        {title}
      </summary>
      <p>{reason === "" ? "All processors are used." : `${reason[0]!.toUpperCase()}${reason.slice(1)}.`}</p>
    </details>
  );
}
