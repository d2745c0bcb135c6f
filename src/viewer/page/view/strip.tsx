/// <reference lib="dom" />
import { useRef } from "preact/hooks";
import { cameraItem, fileItem, type Item, viewableOf } from "../state/inputs.js";
import type { Viewer } from "../state/viewer.js";

/** Images to choose from, and ways to bring others. */
export function Strip({ viewer }: { readonly viewer: Viewer }) {
  const add = (files: FileList | null): void => viewer.add([...(files ?? [])].map(fileItem));
  return (
    <section class="strip" aria-label="Images">
      <div class="sources">
        <Picker label="Open images" multiple accept="image/*,video/*" onFiles={add} />
        <Picker label="Open a folder" folder onFiles={(files) => viewer.add(viewableOf([...files]).map(fileItem))} />
        <button type="button" onClick={() => viewer.add([cameraItem()])}>
          Webcam
        </button>
      </div>
      <ul>
        {viewer.items.value.map((item) => (
          <Thumbnail key={item.id} viewer={viewer} item={item} />
        ))}
      </ul>
    </section>
  );
}

interface PickerProps {
  readonly label: string;
  readonly multiple?: boolean;
  readonly folder?: boolean;
  readonly accept?: string;
  onFiles(files: FileList): void;
}

function Picker({ label, multiple = false, folder = false, accept, onFiles }: PickerProps) {
  const input = useRef<HTMLInputElement>(null);
  const choose = (): void => {
    input.current!.webkitdirectory = folder;
    input.current!.click();
  };
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        multiple={multiple}
        {...(accept !== undefined && { accept })}
        onChange={({ currentTarget }) => {
          if (currentTarget.files !== null) onFiles(currentTarget.files);
          currentTarget.value = "";
        }}
      />
      <button type="button" onClick={choose}>
        {label}
      </button>
    </>
  );
}

function Thumbnail({ viewer, item }: { readonly viewer: Viewer; readonly item: Item }) {
  const summary = viewer.summaries.value.get(item.id);
  const chosen = viewer.current.value === item;
  return (
    <li>
      <button type="button" aria-pressed={chosen} onClick={() => void viewer.select(item)}>
        {item.kind === "image" ? (
          <img src={item.address} alt="" loading="lazy" decoding="async" onError={() => viewer.remove(item)} />
        ) : (
          <span class="film">{item.kind === "camera" ? "webcam" : "film"}</span>
        )}
        <span class="caption">
          <span class="title">{item.name}</span>{" "}
          {summary !== undefined && (
            <span class={`number ${summary.outOfDomain ? "flag" : "soft"}`}>
              {(100 * summary.certain).toFixed(0)} %
              <span class="unseen"> certain{summary.outOfDomain && ", out of domain"}</span>
            </span>
          )}
        </span>
      </button>
    </li>
  );
}
