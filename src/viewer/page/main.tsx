/// <reference lib="dom" />
import { render } from "preact";
import type { SiteManifest } from "../manifest.js";
import type { Preference } from "./engine/computing.js";
import { Site } from "./site.js";
import { Viewer } from "./state/viewer.js";

const root = document.getElementById("app")!;

/** The site's list of models first: without it there is nothing to show. */
async function start(): Promise<void> {
  const response = await fetch("models.json", { cache: "no-cache" });
  if (!response.ok) throw new Error(`models.json: the server answered ${response.status}`);
  const manifest = (await response.json()) as SiteManifest;
  const asked = preference();
  const viewer = new Viewer(manifest, asked);
  render(<Site manifest={manifest} preference={asked} viewer={viewer} onLoaded={() => void offline()} />, root);
}

function preference(): Preference {
  const asked = new URLSearchParams(location.search).get("backend");
  return asked === "wasm" || asked === "webgpu" ? asked : "auto";
}

/** Keep the site for when there is no network; the worker also gives the page the headers that threads need. */
async function offline(): Promise<void> {
  if ("serviceWorker" in navigator && isSecureContext) await navigator.serviceWorker.register("sw.js");
}

start().catch((error: unknown) => {
  root.textContent = `The page could not start: ${(error as Error).message}`;
});
