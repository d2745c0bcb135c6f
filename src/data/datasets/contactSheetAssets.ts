/** How the contact sheet looks. */
export const contactSheetStyle = `
:root { color-scheme: light dark; --page: #f6f6f4; --card: #fff; --ink: #1c1d1f; --soft: #63666b; --line: #dddcd7; --error: #b3261e; --warning: #8a5a00; --accent: #2a5db0; --opacity: .55; }
@media (prefers-color-scheme: dark) { :root { --page: #17181a; --card: #212326; --ink: #e9e9e6; --soft: #a3a6ab; --line: #383b40; --error: #ff8a80; --warning: #f0b952; --accent: #8ab4f8; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); font: 15px/1.45 system-ui, sans-serif; }
.bar { position: sticky; top: 0; z-index: 2; display: flex; flex-wrap: wrap; gap: .4rem 1.4rem; align-items: center; padding: .6rem 1.5rem; background: var(--card); border-bottom: 1px solid var(--line); }
.bar h1 { font-size: 1.05rem; margin: 0; }
.bar label { display: flex; gap: .6rem; align-items: center; }
.bar output { min-width: 3.2em; font-variant-numeric: tabular-nums; }
.keys { margin: 0; color: var(--soft); font-size: .87rem; }
button { font: inherit; color: inherit; background: none; border: 1px solid var(--line); border-radius: 6px; padding: .15rem .7rem; cursor: pointer; }
button:focus-visible, input:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
#toggle[aria-pressed="true"] { background: var(--accent); border-color: var(--accent); color: var(--card); }
main { padding: 0 1.5rem 3rem; }
section { margin-top: 1.8rem; }
h2 { font: 600 1rem/1.4 ui-monospace, monospace; margin: 0 0 .3rem; overflow-wrap: anywhere; }
.facts { margin: 0 0 .8rem; color: var(--soft); }
.facts span:not(:last-child)::after { content: " · "; }
.problems { margin: 0 0 1rem; padding: .7rem 1rem; list-style: none; background: var(--card); border: 1px solid var(--line); border-radius: 8px; font-size: .9rem; overflow-wrap: anywhere; }
.problems li + li { margin-top: .35rem; }
.problems em { color: var(--soft); }
.error { color: var(--error); } .warning { color: var(--warning); }
.set { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1.2rem; align-items: start; }
@media (min-width: 900px) { .set:has(.legend) { grid-template-columns: 21rem minmax(0, 1fr); } .legend { position: sticky; top: 4rem; max-height: calc(100vh - 5rem); } }
.legend { font-size: .88rem; background: var(--card); border: 1px solid var(--line); border-radius: 8px; overflow: auto; }
.legend table { border-collapse: collapse; width: 100%; }
.legend caption { text-align: left; color: var(--soft); padding: .4rem .8rem .2rem; }
.legend th { text-align: left; font-weight: 500; color: var(--soft); }
.legend td, .legend th { padding: .08rem .5rem; white-space: nowrap; }
.legend .number { text-align: right; font-variant-numeric: tabular-nums; }
.legend td:last-child { width: 30%; }
.class { border: 0; padding: .1rem .3rem; display: inline-flex; gap: .5rem; align-items: center; text-align: left; }
.class svg { width: .95rem; height: .95rem; border-radius: 3px; border: 1px solid var(--line); flex: none; }
.class[aria-pressed="true"] { background: var(--accent); color: var(--card); }
.share { width: 100%; height: .5rem; display: block; fill: var(--soft); }
.absent { opacity: .45; }
.images { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fill, minmax(min(100%, 270px), 1fr)); }
figure { margin: 0; background: var(--card); border: 1px solid var(--line); border-radius: 8px; overflow: hidden; }
figure.large { grid-column: 1 / -1; }
.image { position: relative; display: block; width: 100%; padding: 0; border: 0; border-radius: 0; cursor: zoom-in; background: #000; }
.large .image { cursor: zoom-out; }
.image img, .image canvas { display: block; width: 100%; height: auto; }
.image .labels { position: absolute; inset: 0; height: 100%; opacity: var(--opacity); image-rendering: pixelated; }
.image [hidden] { display: none; }
.hidden-labels .labels { visibility: hidden; }
figcaption { padding: .45rem .7rem .6rem; font-size: .84rem; color: var(--soft); overflow-wrap: anywhere; }
figcaption b { color: var(--ink); font-weight: 600; }
figcaption p { margin: .2rem 0 0; }
`;

/** Slider, switch, enlarging, and one class alone. */
export const contactSheetScript = `
"use strict";
const root = document.documentElement;
const slider = document.getElementById("opacity");
const shown = document.getElementById("shown");
const toggle = document.getElementById("toggle");
slider.addEventListener("input", () => {
  root.style.setProperty("--opacity", slider.value / 100);
  shown.textContent = slider.value + " %";
});
const flip = () => {
  const hidden = root.classList.toggle("hidden-labels");
  toggle.setAttribute("aria-pressed", String(!hidden));
};
toggle.addEventListener("click", flip);
document.addEventListener("keydown", (event) => {
  if (event.key !== " " || event.target.closest("button, input")) return;
  event.preventDefault();
  flip();
});
for (const image of document.querySelectorAll(".image")) {
  image.addEventListener("click", () => image.closest("figure").classList.toggle("large"));
}
/* Everything but one colour becomes transparent; the image beneath stays as it is. */
const alone = (image, colour) => {
  const canvas = document.createElement("canvas");
  canvas.width = image.naturalWidth;
  canvas.height = image.naturalHeight;
  const pen = canvas.getContext("2d");
  pen.drawImage(image, 0, 0);
  const pixels = pen.getImageData(0, 0, canvas.width, canvas.height);
  const data = pixels.data;
  for (let i = 0; i < data.length; i += 4) {
    if (data[i] !== colour[0] || data[i + 1] !== colour[1] || data[i + 2] !== colour[2]) data[i + 3] = 0;
  }
  pen.putImageData(pixels, 0, 0);
  canvas.className = "labels alone";
  return canvas;
};
for (const button of document.querySelectorAll(".class")) {
  button.addEventListener("click", () => {
    const set = button.closest(".set");
    const on = button.getAttribute("aria-pressed") !== "true";
    for (const other of set.querySelectorAll(".class")) other.setAttribute("aria-pressed", "false");
    for (const canvas of set.querySelectorAll(".alone")) canvas.remove();
    button.setAttribute("aria-pressed", String(on));
    const colour = button.dataset.colour.split(",").map(Number);
    for (const image of set.querySelectorAll("img.labels")) {
      image.hidden = on;
      if (on) image.after(alone(image, colour));
    }
  });
}
`;
