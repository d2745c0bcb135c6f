/// <reference lib="dom" />
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { droppedFiles, fileItem } from "../inputs.js";
import type { Viewer } from "../state.js";
import { Badge } from "./badge.js";
import { Controls } from "./controls.js";
import { Downloads } from "./downloads.js";
import { Legend } from "./legend.js";
import { ModelChoice } from "./modelChoice.js";
import { Stage } from "./stage.js";
import { Strip } from "./strip.js";

export function App({ viewer }: { readonly viewer: Viewer }) {
  const dragging = useSignal(false);
  const skipped = useSignal(0);
  useEffect(() => {
    const over = (event: DragEvent): void => {
      event.preventDefault();
      dragging.value = true;
    };
    const leave = ({ relatedTarget }: DragEvent): void => {
      if (relatedTarget === null) dragging.value = false;
    };
    const drop = async (event: DragEvent): Promise<void> => {
      event.preventDefault();
      dragging.value = false;
      if (event.dataTransfer === null) return;
      const dropped = await droppedFiles(event.dataTransfer);
      skipped.value = dropped.skipped;
      viewer.add(dropped.files.map(fileItem));
    };
    // The whole page takes what is dropped, and stays as long as the visitor does: nothing is taken back.
    addEventListener("dragover", over);
    addEventListener("dragleave", leave);
    addEventListener("drop", drop);
  }, [viewer, dragging, skipped]);
  const { notice } = viewer.backend;
  return (
    <div class="page">
      <a class="skip" href="#stage">
        Skip to the image
      </a>
      <header>
        <div>
          <h1>Segmentation that knows where it is wrong</h1>
          <p class="soft">Drop an image, a folder or a film. It is computed in this browser and never leaves it.</p>
        </div>
        <Badge backend={viewer.backend} />
      </header>
      <main>
        <ModelChoice viewer={viewer} />
        {notice.value !== null && (
          <p class="notice" role="status">
            {notice}
            <button type="button" onClick={() => (notice.value = null)}>
              OK
            </button>
          </p>
        )}
        <div class="columns">
          <div>
            <div class="stages" id="stage" tabIndex={-1} data-count={viewer.slots.value.length}>
              {viewer.slots.value.map((slot) => (
                <Stage key={slot.model.sha256} viewer={viewer} slot={slot} />
              ))}
            </div>
            <Strip viewer={viewer} />
            {skipped.value > 0 && (
              <p class="soft small" role="status">
                {skipped} {skipped.value === 1 ? "file that is no image was" : "files that are no images were"} left
                out.
              </p>
            )}
          </div>
          <aside aria-label="Classes and display">
            <Legend viewer={viewer} />
            <Controls viewer={viewer} />
            <Downloads viewer={viewer} />
          </aside>
        </div>
      </main>
      {dragging.value && <div class="drop">Drop to open</div>}
    </div>
  );
}
