import type { Backend } from "../engine/backend.js";

/** What computes, and why nothing faster does. */
export function Badge({ backend }: { readonly backend: Backend }) {
  const { title, reason, kind } = backend.computing.value;
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
