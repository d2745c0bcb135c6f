/// <reference lib="dom" />
import { useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { isOutOfDomain } from "../../../deployment/model/outOfDomain.js";
import { Compositor, type View, views } from "../draw/compositor.js";
import { lookOf } from "../state/look.js";
import { measure } from "../state/measures.js";
import type { Slot, Viewer } from "../state/viewer.js";
import { GammaSlider } from "./gammaSlider.js";
import { viewTitles } from "./words.js";

/** Canvases are at least this wide, so that the edges of classes are crisp on large screens. */
const LEAST_WIDTH = 1400;

interface Props {
  readonly viewer: Viewer;
  readonly slot: Slot;
}

/** An image with what one model says of it: two views with a wipe between them, γ, and how much is certain. */
export function Stage({ viewer, slot }: Props) {
  const trouble = viewer.trouble.value;
  const { model } = slot;
  const image = viewer.image.value;
  const ratio = image === null ? 2 : image.width / image.height;
  return (
    <section class="stage" aria-label={`Image, seen by ${model.name}`}>
      {viewer.slots.value.length > 1 && <h2>{model.name}</h2>}
      <div class="frame" style={{ "--ratio": ratio }}>
        {trouble === null ? (
          <Picture viewer={viewer} slot={slot} />
        ) : (
          <div class="trouble" role="alert">
            <p>{trouble.message}</p>
            {trouble.hint !== undefined && <p class="soft">{trouble.hint}</p>}
          </div>
        )}
        <Loading slot={slot} viewer={viewer} />
      </div>
      <GammaSlider viewer={viewer} slot={slot} />
      <Verdict viewer={viewer} slot={slot} />
    </section>
  );
}

function Picture({ viewer, slot }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const compositor = useRef<Compositor | null>(null);
  useEffect(() => {
    try {
      compositor.current = new Compositor(canvas.current!);
    } catch (error) {
      viewer.trouble.value = { message: (error as Error).message, hint: undefined };
    }
  }, [viewer]);
  useSignalEffect(() => {
    const [image, maps, { current }] = [viewer.image.value, slot.maps.value, compositor];
    if (image === null || maps === null || current === null) return;
    const times = Math.min(8, Math.max(1, Math.round(LEAST_WIDTH / image.width)));
    current.show(image, maps, times);
    current.draw(lookOf(viewer, slot));
  });
  useSignalEffect(() => compositor.current?.draw(lookOf(viewer, slot)));
  const image = viewer.image.value;
  const { left, right, wipe } = viewer;
  return (
    <>
      <canvas
        ref={canvas}
        role="img"
        aria-label={`${viewer.current.value?.name ?? "No image"}: ${viewTitles[left.value]} on the left, ${viewTitles[right.value]} on the right`}
        data-shown={image === null ? undefined : `${image.width}x${image.height}`}
      />
      {image !== null && (
        <>
          <div class="wipe" style={{ "--at": `${100 * wipe.value}%` }}>
            <input
              type="range"
              min="0"
              max="1"
              step="0.005"
              value={wipe.value}
              aria-label="Place of the wipe"
              aria-valuetext={`${viewTitles[left.value]} on the left ${Math.round(100 * wipe.value)} percent`}
              onInput={({ currentTarget }) => (wipe.value = Number(currentTarget.value))}
            />
            <span class="line" aria-hidden="true" />
          </div>
          <ViewChoice side="left" value={left.value} onChoose={(view) => (left.value = view)} />
          <ViewChoice side="right" value={right.value} onChoose={(view) => (right.value = view)} />
        </>
      )}
      {viewer.current.value?.kind === "video" && (
        <button type="button" class="play" onClick={() => viewer.toggle()}>
          {viewer.playing.value ? "Pause" : "Play"}
        </button>
      )}
    </>
  );
}

interface ChoiceProps {
  readonly side: "left" | "right";
  readonly value: View;
  onChoose(view: View): void;
}

function ViewChoice({ side, value, onChoose }: ChoiceProps) {
  return (
    <select
      class={`view ${side}`}
      aria-label={`View on the ${side}`}
      value={value}
      onChange={({ currentTarget }) => onChoose(currentTarget.value as View)}
    >
      {views.map((view) => (
        <option key={view} value={view}>
          {viewTitles[view]}
        </option>
      ))}
    </select>
  );
}

function Loading({ viewer, slot }: Props) {
  const progress = slot.progress.value;
  if (progress === null) {
    if (slot.maps.value !== null || viewer.trouble.value !== null) return null;
    return <p class="loading">{viewer.busy.value ? "Computing…" : "Open an image below, or drop one here."}</p>;
  }
  const { received, total } = progress;
  const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1);
  return (
    <div class="loading">
      <label>
        {received < total ? "Loading" : "Starting"} {slot.model.name}
        <progress max={total} value={received} />
      </label>
      <span class="soft number">
        {megabytes(received)} of {megabytes(total)} MB
      </span>
    </div>
  );
}

function Verdict({ viewer, slot }: Props) {
  const maps = slot.maps.value;
  if (maps === null || viewer.trouble.value !== null) return null;
  const { model } = slot;
  const gamma = viewer.gammaOf(slot);
  const { certain } = measure(maps, gamma, model.classes.length);
  return (
    <div class="verdict">
      <p class="certain" aria-live="polite">
        <b class="number">{(100 * certain).toFixed(1)} %</b> of the image is certain
      </p>
      {maps.distance !== null && <Domain distance={maps.distance} rule={model.outOfDomainRule!} />}
      <p class="soft number time">{maps.milliseconds.toFixed(0)} ms</p>
    </div>
  );
}

interface DomainProps {
  readonly distance: number;
  readonly rule: string;
}

/** Not being flagged is no promise: the rule compares edges and colours, and knows nothing of what is where. */
function Domain({ distance, rule }: DomainProps) {
  const title = `Flagged with ${rule}. Here ${distance.toFixed(2)}.`;
  if (!isOutOfDomain(distance)) {
    return (
      <p class="soft" title={title}>
        Not flagged as out of domain.
      </p>
    );
  }
  return (
    <p class="flag" title={title}>
      <b>Unlike the images this model was trained on.</b>
    </p>
  );
}
