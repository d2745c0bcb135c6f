import { heatStops } from "../../data/images/heat.js";
import { htmlPage } from "../../html/htmlPage.js";
import { escapeText } from "../../platform/escape.js";
import { printable } from "../../platform/printable.js";
import type { ImageReport, Predictions } from "./predictions.js";

type Colour = readonly [red: number, green: number, blue: number];

/** Panels of an image, from left to right: the folder of its small image, what it is, and the file at full size. */
const panels = [
  { name: "image", title: "image", full: null },
  { name: "segmentation", title: "segmentation", full: ["overlay", ".jpg"] },
  { name: "uncertainty", title: "uncertainty", full: ["uncertainty", ".png"] },
  { name: "certain", title: "what is certain", full: ["certain", ".jpg"] },
] as const;

/**
 * `index.html` beside the predictions: every image with what the model says of it. It opens from a file; images are beside it and are
 * loaded when they come into view.
 */
export function galleryPage(
  predictions: Predictions,
  colours: readonly Colour[],
  shown: (image: ImageReport) => boolean,
): string {
  const { images, videos, skipped, model, gamma, outOfDomainRule, classes } = predictions;
  const strange = images.filter(({ outOfDomain }) => outOfDomain).length;
  const mean = images.reduce((sum, { certain }) => sum + certain, 0) / Math.max(1, images.length);
  const facts = [
    [images.length.toLocaleString("en"), images.length === 1 ? "image" : "images"],
    [percent(mean), "of pixels certain"],
    [strange.toLocaleString("en"), "out of domain"],
    [`γ ${gamma.toPrecision(3)}`, ""],
  ];
  const body = `<header>
<h1>Predictions of ${text(model)}</h1>
<ul class="facts">${facts.map(([value, name]) => `<li><b>${value}</b> ${name}</li>`).join("")}</ul>
<p class="soft">An image is out of domain with ${text(outOfDomainRule)}. One that is not flagged may still show something else: only edges and colours are compared.</p>
</header>
<div class="bar">
<label>order <select id="order"><option value="given">as given</option><option value="certain">least certain first</option></select></label>
<label><input id="strange" type="checkbox"${strange === 0 ? " disabled" : ""}> only out of domain</label>
${legend(classes, colours)}
</div>
<main>
${videos.map(({ file, video }) => film(file, video)).join("\n")}
<div id="cards">
${images.filter(shown).map(card).join("\n")}
</div>
${skipped.length === 0 ? "" : `<section><h2>Skipped</h2><ul>${skipped.map(({ reason }) => `<li>${text(reason)}</li>`).join("")}</ul></section>`}
</main>
<footer><p class="soft">Masks are in class/ (grey value: the class, as in classes.json) and uncertainty/ (16 bits: code times ${predictions.uncertaintyStep.toPrecision(4)}), at the size of each image.</p></footer>`;
  return htmlPage({
    title: `predictions of ${model}`,
    style: "gallery",
    script: "gallery",
    images: "beside",
    body,
  });
}

const text = (outside: string): string => escapeText(printable(outside));
const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

/** A file beside the page as an address: names may hold any character. */
const address = (path: string): string => path.replaceAll("\\", "/").split("/").map(encodeURIComponent).join("/");

function legend(classes: readonly string[], colours: readonly Colour[]): string {
  const swatch = (fill: string): string =>
    `<svg viewBox="0 0 1 1" aria-hidden="true"><rect width="1" height="1" fill="${fill}"/></svg>`;
  const items = classes.map((name, id) => `<li>${swatch(`rgb(${colours[id]!.join(",")})`)}${text(name)}</li>`);
  const stops = heatStops.map(
    (colour, i) => `<stop offset="${i / (heatStops.length - 1)}" stop-color="rgb(${colour.join(",")})"/>`,
  );
  const scale = `<li class="scale">certain <svg viewBox="0 0 100 10" aria-hidden="true"><defs><linearGradient id="heat">${stops.join("")}</linearGradient></defs><rect width="100" height="10" fill="url(#heat)"/><path d="M50 0V10" stroke="#fff"/></svg> uncertain, γ in the middle</li>`;
  return `<ul class="legend" aria-label="colours of the classes">${items.join("")}<li>${swatch("#000")}not certain</li>${scale}</ul>`;
}

function film(file: string, video: string): string {
  return `<figure class="card film"><video controls preload="metadata" src="${address(video)}" aria-label="${text(file)}: frames beside what is certain of them"></video><figcaption><b>${text(file)}</b> <span class="soft">each frame beside what is certain of it</span> <a href="${address(video)}">mp4</a></figcaption></figure>`;
}

function card({ id, width, height, certain, distance, outOfDomain }: ImageReport): string {
  const tiles = panels.map(({ name, title, full }) => {
    const small = address(`gallery/${name}/${id}.jpg`);
    const large = full === null ? small : address(`${full[0]}/${id}${full[1]}`);
    return `<a href="${large}"><img loading="lazy" width="${width}" height="${height}" src="${small}" alt="${text(id)}: ${title}"><span>${title}</span></a>`;
  });
  const flag = outOfDomain ? `<b class="flag" title="distance ${distance.toFixed(2)}">out of domain</b>` : "";
  return `<figure class="card" data-certain="${certain}"${outOfDomain ? ' data-strange=""' : ""}><div class="panels">${tiles.join("")}</div><figcaption><b>${text(id)}</b><span class="soft">${width} × ${height}</span>${flag}<span class="certain"><svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect class="all" width="100" height="8"/><rect class="part" width="${(100 * certain).toFixed(1)}" height="8"/></svg>${percent(certain)} certain</span></figcaption></figure>`;
}
