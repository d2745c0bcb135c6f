import { htmlPage } from "../../html/htmlPage.js";
import { escapeText } from "../../platform/escape.js";
import { printable } from "../../platform/printable.js";
import type { DatasetCheck, Share } from "../datasets/checkDataset.js";
import type { Problem } from "../datasets/problem.js";
import { percent, problemCount } from "./describeCheck.js";

export interface SheetImage {
  readonly id: string;
  readonly width: number;
  readonly height: number;
  /** Data URIs; labels are painted in the colours of the legend. */
  readonly image: string;
  readonly labels: string | undefined;
  readonly holds: string;
  readonly problems: readonly Problem[];
}

export interface SheetSet {
  readonly check: DatasetCheck;
  /** Name of the class list; undefined without labels. */
  readonly labels: string | undefined;
  readonly legend: readonly (Share & { readonly colour: readonly [number, number, number] })[];
  readonly images: readonly SheetImage[];
}

const WORST = 20;

/** The page itself. Whatever came from outside (file names, class names, specs) goes through `text`. */
export function contactSheetPage(sets: readonly SheetSet[], leaks: readonly Problem[]): string {
  const body = `<header class="bar">
<h1>Contact sheet</h1>
<label for="opacity">labels <input id="opacity" type="range" min="0" max="100" value="55"> <output id="shown">55 %</output></label>
<button id="toggle" type="button">hide labels</button>
<p class="soft small">space shows and hides labels; click a class to see it alone, an image to enlarge it</p>
</header>
<main>
${leaks.length === 0 ? "" : `<section><h2>Leaks between the data sets</h2>${problemList(leaks)}</section>`}
${sets.map(section).join("\n")}
</main>`;
  return htmlPage({
    title: "contact sheet",
    style: "contact-sheet",
    script: "contact-sheet",
    images: "inside",
    body,
  });
}

function section({ check, labels, legend, images }: SheetSet): string {
  const sizes = check.sizes.slice(0, 3).map(({ width, height, images: n }) => `${width} × ${height} (${n})`);
  const facts = [
    `${check.images} images`,
    labels === undefined ? "unlabelled" : `labelled with ${labels}`,
    `${sizes.join(", ")}${check.sizes.length > 3 ? ` and ${check.sizes.length - 3} more sizes` : ""}`,
    check.problems.length === 0 ? "no problems" : problemCount(check.problems),
  ];
  return `<section>
<h2>${text(check.spec)}</h2>
<p class="facts">${facts
    .filter((fact) => fact !== "")
    .map((fact) => `<span>${text(fact)}</span>`)
    .join("")}</p>
${check.problems.length === 0 ? "" : problemList(check.problems)}
<div class="set">
${legend.length === 0 ? "" : legendTable(legend)}
<div class="images">
${images.map(figure).join("\n")}
</div>
</div>
</section>`;
}

function legendTable(legend: SheetSet["legend"]): string {
  const most = Math.max(...legend.map(({ share }) => share), 1e-9);
  const rows = legend.map(({ name, share, images, colour }) => {
    const rgb = colour.map((part) => Math.round(part)).join(",");
    return `<tr${share === 0 ? ' class="absent"' : ""}><td><button type="button" class="class" data-colour="${rgb}" aria-pressed="false"><svg viewBox="0 0 1 1" aria-hidden="true"><rect width="1" height="1" fill="rgb(${rgb})"/></svg>${text(name)}</button></td><td class="number">${percent(share)}</td><td class="number">${images}</td><td><svg class="share" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect width="${((100 * share) / most).toFixed(2)}" height="8"/></svg></td></tr>`;
  });
  return `<div class="legend card" tabindex="0" role="region" aria-label="pixels of each class"><table><caption>pixels of each class</caption><thead><tr><th>class</th><th class="number">share</th><th class="number">images</th><td></td></tr></thead><tbody>${rows.join("")}</tbody></table></div>`;
}

function figure({ id, width, height, image, labels, holds, problems }: SheetImage): string {
  const note = problems.map(({ severity, message }) => `<p class="${severity}">${text(message)}</p>`).join("");
  return `<figure class="card">
<button type="button" class="image" aria-label="enlarge ${text(id)}"><img class="rgb" src="${image}" alt="${text(id)}">${labels === undefined ? "" : `<img class="labels" src="${labels}" alt="labels of ${text(id)}">`}</button>
<figcaption><b>${text(id)}</b> ${width} × ${height}${holds === "" ? "" : `<br>${text(holds)}`}${note}</figcaption>
</figure>`;
}

function problemList(problems: readonly Problem[]): string {
  const items = problems
    .slice(0, WORST)
    .map(
      ({ severity, code, message, hint }) =>
        `<li class="${severity}"><code>${code}</code> ${text(message)}${hint === undefined ? "" : ` <em>${text(hint)}</em>`}</li>`,
    );
  const more = problems.length > WORST ? `<li>and ${problems.length - WORST} more</li>` : "";
  return `<ul class="problems card">${items.join("")}${more}</ul>`;
}

/** Text from outside, for between tags and inside quoted attributes; what cannot be seen is spelled out. */
export const text = (outside: string): string => escapeText(printable(outside));
