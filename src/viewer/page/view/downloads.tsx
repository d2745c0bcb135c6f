import type { ResultKind } from "../state/results.js";
import { save } from "../state/save.js";
import type { Viewer } from "../state/viewer.js";

const titles: Readonly<Record<ResultKind, string>> = {
  segmentation: "Segmentation",
  certain: "Certain only",
  class: "Class ids",
  uncertainty: "Uncertainty, 16 bits",
  json: "Numbers, JSON",
};

/** Results of the first model to take away. What writes them is loaded when it is asked for. */
export function Downloads({ viewer }: { readonly viewer: Viewer }) {
  const [slot] = viewer.slots.value;
  if (slot === undefined || viewer.image.value === null) return null;
  const kinds = (Object.keys(titles) as ResultKind[]).filter(
    (kind) => slot.model.gamma !== null || kind !== "uncertainty",
  );
  const take = async (kind: ResultKind): Promise<void> => {
    const { resultFile } = await import("../state/results.js");
    save(await resultFile(viewer, slot, kind));
  };
  return (
    <section class="downloads">
      <h2>Download</h2>
      <div>
        {kinds.map((kind) => (
          <button key={kind} type="button" onClick={() => void take(kind)}>
            {titles[kind]}
          </button>
        ))}
      </div>
    </section>
  );
}
