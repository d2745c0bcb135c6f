import { measure } from "../state/measures.js";
import type { Viewer } from "../state/viewer.js";

/** Classes by how much of the image they cover, with a toggle each: hidden ones show the image itself. */
export function Legend({ viewer }: { readonly viewer: Viewer }) {
  const [slot] = viewer.slots.value;
  if (slot === undefined) return null;
  const { classes } = slot.model;
  const maps = slot.maps.value;
  const shares = maps === null ? null : measure(maps, viewer.gammaOf(slot), classes.length).classes;
  const hidden = viewer.hidden.value;
  const toggle = (k: number): void => {
    const next = new Set(hidden);
    if (!next.delete(k)) next.add(k);
    viewer.hidden.value = next;
  };
  return (
    <section class="legend">
      <div class="head">
        <h2>Classes</h2>
        <button
          type="button"
          onClick={() => (viewer.hidden.value = hidden.size > 0 ? new Set() : new Set(classes.keys()))}
        >
          {hidden.size > 0 ? "show all" : "hide all"}
        </button>
      </div>
      <ul>
        {classes.map(({ name, colour }, k) => (
          <li key={name} class={shares !== null && shares[k]!.share === 0 ? "absent" : undefined}>
            <button type="button" aria-pressed={!hidden.has(k)} onClick={() => toggle(k)}>
              <span class="swatch" style={{ "--colour": `rgb(${colour.join(" ")})` }} aria-hidden="true" />
              <span class="name">{name}</span>
              {shares !== null && shares[k]!.share > 0 && <span class="soft number">{percent(shares[k]!.share)}</span>}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

const percent = (share: number): string =>
  share < 0.001 ? "< 0.1 %" : `${(100 * share).toFixed(share < 0.1 ? 1 : 0)} %`;
