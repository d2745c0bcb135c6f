/// <reference lib="dom" />
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { SiteManifest } from "../manifest.js";
import type { Preference } from "./engine/computing.js";
import { type PageView, viewAddresses } from "./header/header.js";
import type { Viewer } from "./state/viewer.js";
import { App } from "./view/app.js";

interface Props {
  readonly manifest: SiteManifest;
  readonly preference: Preference;
  readonly viewer: Viewer;
  /** Called when the view that was opened first has loaded what it needs. */
  onLoaded(): void;
}

/** One of the page's views. What the other one needs is loaded when it is opened, and what it computes ends when it is left. */
export function Site({ manifest, preference, viewer, onLoaded }: Props) {
  const { training, runtimes } = manifest;
  const views: readonly PageView[] = training === undefined ? ["images"] : ["images", "training"];
  const here = useSignal(viewHere(views));
  const opened = useSignal<typeof import("./training/trainingView.js") | null>(null);
  const failed = useSignal<string | null>(null);
  const turned = useRef(false);
  useEffect(() => {
    const turn = (): void => {
      turned.current = true;
      here.value = viewHere(views);
    };
    addEventListener("hashchange", turn);
    return () => removeEventListener("hashchange", turn);
  }, []);
  useEffect(() => {
    if (here.value === "images") {
      void viewer.start().then(onLoaded);
      return;
    }
    viewer.rest();
    import("./training/trainingView.js").then(
      (module) => {
        opened.value = module;
        onLoaded();
      },
      (error: Error) => {
        failed.value = error.message;
      },
    );
  }, [here.value]);
  // The link that was followed is gone with its view: the keyboard goes on from the new one.
  useEffect(() => {
    if (turned.current) document.querySelector("main")?.focus({ preventScroll: true });
  }, [here.value, opened.value]);
  if (here.value === "images") return <App viewer={viewer} views={views} />;
  if (failed.value !== null)
    return <p role="alert">The view could not be loaded: {failed}. Reload the page to try again.</p>;
  if (opened.value === null) return <p>Loading…</p>;
  const { TrainingView } = opened.value;
  return <TrainingView training={training!} runtimes={runtimes} preference={preference} views={views} />;
}

const viewHere = (views: readonly PageView[]): PageView =>
  views.includes("training") && location.hash.startsWith(viewAddresses.training) ? "training" : "images";
