/// <reference lib="dom" />
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Header, type PageView } from "../header/header.js";
import { droppedFiles, fileItem } from "../state/inputs.js";
import type { Viewer } from "../state/viewer.js";
import { Controls } from "./controls.js";
import { Downloads } from "./downloads.js";
import { Legend } from "./legend.js";
import { ModelChoice } from "./modelChoice.js";
import { Stage } from "./stage.js";
import { Strip } from "./strip.js";

interface Props {
  readonly viewer: Viewer;
  readonly views: readonly PageView[];
}

/** The view in which models segment the visitor's images. */
export function App({ viewer, views }: Props) {
  const dragging = useSignal(false);
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
      const { files, skipped } = await droppedFiles(event.dataTransfer);
      viewer.add(files.map(fileItem));
      viewer.leaveOut(skipped);
    };
    // The whole page takes what is dropped.
    addEventListener("dragover", over);
    addEventListener("dragleave", leave);
    addEventListener("drop", drop);
    return () => {
      removeEventListener("dragover", over);
      removeEventListener("dragleave", leave);
      removeEventListener("drop", drop);
    };
  }, [viewer, dragging]);
  const { notice } = viewer.backend;
  return (
    <div class="page">
      <a class="skip" href="#stage">
        Skip to the image
      </a>
      <Header here="images" views={views} computing={viewer.backend.computing.value}>
        Drop an image, a folder or a film. It is computed in this browser and never leaves it.
      </Header>
      <main tabIndex={-1}>
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
