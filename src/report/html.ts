import type { OpenedResult } from "../evaluation/results/openResults.js";
import { htmlPage } from "../html/htmlPage.js";
import { nice } from "../html/subscripts.js";
import { embeddedJson, escapeText } from "../platform/escape.js";
import { palette } from "./palette.js";
import type { Plot } from "./plot.js";
import { plotInPage } from "./plotSvg.js";
import { plotsOf } from "./plots.js";
import type { ReportData } from "./reportData.js";
import { byDataset, labels, resultTables } from "./resultTable.js";
import type { RunStory } from "./runStory.js";
import { storiesHtml } from "./storyHtml.js";
import { classTable, tableHtml } from "./tableHtml.js";

export interface PageParts {
  readonly title: string;
  readonly entries: readonly OpenedResult[];
  readonly data: ReportData;
  readonly training: readonly Plot[];
  /** Runs with a training log, in the order of their colours. */
  readonly trained: readonly string[];
  readonly stories: readonly (RunStory | string)[];
}

/** The whole report as one HTML text. Nothing in it is loaded from anywhere, and its policy forbids that. */
export function pageHtml({ title, entries, data, training, trained, stories }: PageParts): string {
  const datasets = [...byDataset(entries)];
  const tables = resultTables(entries);
  const body = `<a class="skip" href="#main">Skip to the results</a>
${header(title, entries)}
${control}
<main id="main" tabindex="-1">
${storiesHtml(stories)}
<noscript><p>The images and the threshold need JavaScript, which is part of this file. Tables and curves are below.</p></noscript>
${images}
${confusion}
${datasets
  .map(([dataset, group], k) => {
    const names = labels(group);
    const drawn = group.map((entry, i) => ({ ...entry, label: names[i]! }));
    return `<div data-dataset="${k}"${k === 0 ? "" : " hidden"}>
<section aria-labelledby="curves-${k}"><h2 id="curves-${k}">At every threshold</h2>
<p class="soft">Each curve is a method, each dot its place at the threshold above. Click a curve to go there.</p>
<div class="plots">${plotsOf(drawn).map(plotFigure).join("")}</div></section>
<section aria-labelledby="numbers-${k}"><h2 id="numbers-${k}">The numbers</h2>
<p class="soft">${escapeText(dataset)}</p>
${tableHtml(`Results on ${dataset}`, tables[k]!, tableNote(group))}
${classTable(dataset, drawn)}
${glossary}</section>
</div>`;
  })
  .join("\n")}
${training.length === 0 ? "" : `<section class="training" aria-labelledby="training"><h2 id="training">While training</h2>${trainingLegend(trained)}<div class="plots small ${columnsFor(training.length)}">${training.map(plotFigure).join("")}</div></section>`}
</main>
<footer><p>Curves and tables as SVG, PNG, CSV and LaTeX lie in the folder <code>report</code> beside this file. Nothing on this page was loaded from a network.</p></footer>
<script type="application/json" id="data">${embeddedJson(data)}</script>`;
  return htmlPage({ title, style: "report", script: "report", images: "inside", body });
}

function header(title: string, entries: readonly OpenedResult[]): string {
  const firsts = [...byDataset(entries).values()].map(([first]) => first!.result);
  const sum = (field: "images" | "pixels"): number => firsts.reduce((so, result) => so + result[field], 0);
  const unique = (values: readonly string[]): string[] => [...new Set(values)];
  const facts = [
    [unique(entries.map(({ result }) => result.method)).length, "methods"],
    [byDataset(entries).size, "data sets"],
    [sum("images"), "images"],
    [sum("pixels"), "scored pixels"],
  ] as const;
  const commands = unique(entries.map(({ result }) => result.command)).map(
    (command) => `<pre class="command">${escapeText(command)}</pre>`,
  );
  const pairs = (values: Iterable<readonly [string, unknown]>): string =>
    [...values].map(([name, value]) => `<dt>${escapeText(name)}</dt><dd>${escapeText(String(value))}</dd>`).join("");
  return `<header>
<p class="kicker">gamma-ssl report</p>
<h1>${escapeText(title)}</h1>
<p class="lead">Where is the network wrong, and does it know? Move the threshold: pixels the method trusts less than that turn black.</p>
<ul class="facts">${facts
    .filter(([count]) => count > 0)
    .map(
      ([count, name]) => `<li><b>${count.toLocaleString("en")}</b> ${count === 1 ? name.replace(/s$/, "") : name}</li>`,
    )
    .join("")}</ul>
${commands[0] ?? ""}
<details><summary>How these numbers were made</summary>
${commands.slice(1).join("")}
<dl>${pairs(uniquePairs(entries, "seeds").map(([name, value]) => [`seed of ${name}`, value] as const))}${pairs(uniquePairs(entries, "environment"))}</dl>
</details>
</header>`;
}

/** Each name with every value that some result has for it. */
function uniquePairs(entries: readonly OpenedResult[], field: "seeds" | "environment"): [string, string][] {
  const found = new Map<string, Set<string>>();
  for (const { result } of entries) {
    for (const [name, value] of Object.entries(result[field])) {
      found.set(name, (found.get(name) ?? new Set()).add(String(value)));
    }
  }
  return [...found].map(([name, values]) => [name, [...values].join(", ")]);
}

/** On a phone the second part alone stays on the screen: it is what a reader moves, and what it does. */
const control = `<div class="control"><div>
<div class="chosen">
<div class="row"><label id="dataset-choice" hidden>Data set <select id="dataset"></select></label>
<fieldset><legend>Method</legend><span class="row" id="methods"></span></fieldset></div>
<div class="row" id="marks" role="group" aria-label="Thresholds worth knowing"></div>
<ul id="bar-legend"><li class="kept-right"><i></i>right and kept <b></b></li><li class="kept-wrong"><i></i>wrong but kept <b></b></li><li class="dropped-wrong"><i></i>wrong, blacked out <b></b></li><li class="dropped-right"><i></i>right, but blacked out <b></b></li></ul>
</div>
<div class="moved">
<div class="slider"><label for="threshold">Threshold</label><input id="threshold" type="range" min="0" max="1000" step="1" value="1000"><output id="threshold-value" for="threshold"></output></div>
<p id="sentence" role="status" aria-live="polite"></p>
<div id="bar" aria-hidden="true"><span class="kept-right"></span><span class="kept-wrong"></span><span class="dropped-wrong"></span><span class="dropped-right"></span></div>
</div>
</div></div>`;

const images = `<section id="images" aria-labelledby="images-head"><h2 id="images-head">Images</h2>
<div class="tools">
<label>left <select id="left"><option value="image">the image</option><option value="labels">true classes</option><option value="uncertainty">uncertainty</option><option value="mistakes">mistakes: caught blue, kept orange</option></select></label>
<label>first <select id="sort"><option value="accuracy">least accurate</option><option value="auroc">lowest AUROC</option><option value="name">by name</option></select></label>
<label>colour <input id="opacity" type="range" min="0" max="100" value="70" aria-label="How strongly classes are coloured"></label>
</div>
<div id="classes" role="group" aria-label="Classes to colour"></div>
<button id="focus" type="button" hidden></button>
<div id="gallery"></div>
<button id="more" type="button" hidden>Show all images</button></section>`;

const confusion = `<section id="confusion" aria-labelledby="confusion-head" hidden><h2 id="confusion-head">What is taken for what</h2>
<p class="soft">Percent of the pixels of each true class (row) by the class they were given (column), over all test images. Click a cell to see the images kept for this report that have most of it.</p>
<div class="scroll card" role="region" tabindex="0" aria-label="confusion matrix"><table tabindex="-1"></table></div></section>`;

/** Which colour is which run, where there are several. */
function trainingLegend(runs: readonly string[]): string {
  if (runs.length < 2) return "";
  const items = runs.map(
    (run, i) => `<li class="s${i % palette.length}"><span class="swatch"></span>${escapeText(run)}</li>`,
  );
  return `<ul class="facts">${items.join("")}</ul>`;
}

/** Four in a row, or three where four would leave one alone in the last. */
const columnsFor = (count: number): string => (count % 4 === 1 && count > 1 ? "by3" : "");

const plotFigure = (plot: Plot): string =>
  `<figure class="card"><figcaption><h3>${nice(plot.title)}</h3><p>${escapeText(plot.meaning)}</p></figcaption>${plotInPage(plot)}</figure>`;

function tableNote(group: readonly OpenedResult[]): string {
  const chance = group[0]?.result.chance.aupr ?? null;
  const level = chance === null ? "" : ` A score that knows nothing gets AUROC 0.5 and AUPR equal to the accuracy.`;
  const intervals = group.some(({ result }) => result.intervals !== null)
    ? " Small print: 95 % intervals from drawing images again and again."
    : "";
  return `Best in bold; struck through where nothing is kept (p(a,c) prints as 0.000).${level}${intervals}`;
}

const glossary = `<details><summary>What the numbers mean</summary><dl>
<dt>accuracy</dt><dd>share of scored pixels that are right; things without a class count as wrong</dd>
<dt>AUROC</dt><dd>chance that a random wrong pixel is less certain than a random right one; 0.5 is guessing</dd>
<dt>AUPR</dt><dd>how pure the kept pixels are, averaged over how many are kept</dd>
<dt>A<sub>MD</sub></dt><dd>share of pixels for which “kept” and “right” agree; the maximum is over all thresholds</dd>
<dt>F<sub>0.5</sub></dt><dd>purity and yield of the kept pixels in one number; purity counts more</dd>
<dt>p(a,c)</dt><dd>share of all pixels that are right and kept; it cannot exceed the accuracy</dd>
<dt>at γ</dt><dd>at the threshold the method set for itself in training, without labels from here</dd>
<dt>FPR@95</dt><dd>share of wrong pixels still kept where 95 % of the right ones are; lower is better</dd>
<dt>AURC</dt><dd>error rate among kept pixels, averaged over how many are kept; lower is better</dd>
<dt>ECE</dt><dd>how far stated confidence and accuracy are apart; lower is better</dd>
<dt>mIoU</dt><dd>overlap of predicted and true classes, averaged over classes that occur</dd>
</dl></details>`;
