/// <reference lib="dom" />
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { SiteManifest } from "../../manifest.js";
import type { Preference } from "../engine/computing.js";
import type { Viewer } from "../state.js";
import { App } from "./app.js";
import { type PageView, viewAddresses } from "./header.js";

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
  const opened = useSignal<typeof import("../training/trainingView.js") | null>(null);
  useEffect(() => {
    const turn = (): void => {
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
    void import("../training/trainingView.js").then((module) => {
      opened.value = module;
      onLoaded();
    });
  }, [here.value]);
  if (here.value === "images") return <App viewer={viewer} views={views} />;
  if (opened.value === null) return <p>Loading…</p>;
  const { TrainingView } = opened.value;
  return <TrainingView training={training!} runtimes={runtimes} preference={preference} views={views} />;
}

const viewHere = (views: readonly PageView[]): PageView =>
  views.includes("training") && location.hash.startsWith(viewAddresses.training) ? "training" : "images";
