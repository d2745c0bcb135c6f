import { element, make } from "../../html/element.js";
import type { ReportExample } from "../reportData.js";
import type { Choice, Confusion } from "./choice.js";

/** Shares below this print as a dot: a wall of zeros hides the rest. */
const LEAST = 0.005;

/** What is taken for what by the chosen method: a table whose cells open the images with most of that confusion. */
export function openConfusion(choice: Choice): void {
  const section = element<HTMLElement>("#confusion");
  const clear = element<HTMLButtonElement>("#focus");
  let builtFor = "";
  clear.addEventListener("click", () => {
    choice.change({ focus: null });
    element<HTMLElement>("#confusion table").focus();
  });
  choice.onChange(() => {
    const wanted = `${choice.dataset} ${choice.method}`;
    if (wanted !== builtFor) {
      builtFor = wanted;
      section.hidden = choice.current.confusion === null;
      if (choice.current.confusion !== null) build(choice, choice.current.confusion);
    }
    const { focus } = choice;
    clear.hidden = focus === null;
    clear.textContent = focus === null ? "" : `${nameOf(choice, focus)}, most first ✕`;
    for (const button of section.querySelectorAll("button")) {
      const own = button.dataset.cell === `${focus?.label} ${focus?.predicted}`;
      button.setAttribute("aria-pressed", String(own));
    }
  });
}

const nameOf = (choice: Choice, { label, predicted }: Confusion): string =>
  `${choice.place.classes[label]?.name} taken for ${choice.place.classes[predicted]?.name}`;

function build(choice: Choice, counts: readonly (readonly number[])[]): void {
  const { classes, examples } = choice.place;
  const labelled = classes.flatMap((_, k) => (total(counts[k]) > 0 ? [k] : []));
  const answered = classes.flatMap((_, k) => (counts.some((row) => (row[k] ?? 0) > 0) ? [k] : []));
  const head = make("tr");
  head.append(make("th", "", "true class, and what it was taken for"));
  for (const k of answered) head.append(columnHead(classes[k]!.name));
  const rows = labelled.map((label) => {
    const row = make("tr");
    const title = make("th", "", classes[label]!.name);
    title.scope = "row";
    const all = total(counts[label]);
    row.append(
      title,
      ...answered.map((predicted) => cell(choice, examples, { label, predicted }, counts[label]![predicted]! / all)),
    );
    return row;
  });
  const [thead, tbody, table] = [make("thead"), make("tbody"), element<HTMLElement>("#confusion table")];
  thead.append(head);
  tbody.append(...rows);
  table.replaceChildren(thead, tbody);
}

const total = (row: readonly number[] | undefined): number => (row ?? []).reduce((sum, count) => sum + count, 0);

function columnHead(name: string): HTMLElement {
  const head = make("th", "upright");
  head.scope = "col";
  head.append(make("span", "", name));
  return head;
}

function cell(choice: Choice, examples: readonly ReportExample[], at: Confusion, share: number): HTMLElement {
  const right = at.label === at.predicted;
  const made = make("td", right ? "right" : "wrong");
  made.style.setProperty("--share", `${Math.round(100 * Math.sqrt(share))}%`);
  const text = share < LEAST ? "·" : (100 * share).toFixed(0);
  const there = examples.some((example) => choice.confusedIn(example, at) > 0);
  if (right || share < LEAST || !there) {
    made.textContent = text;
    return made;
  }
  const button = make("button", "", text);
  button.type = "button";
  button.dataset.cell = `${at.label} ${at.predicted}`;
  button.setAttribute("aria-label", `${text} % of ${nameOf(choice, at)}: show the images`);
  button.title = `${nameOf(choice, at)}: ${(100 * share).toFixed(1)} %. Click to see the images with most of it.`;
  button.addEventListener("click", () => {
    const left = element<HTMLSelectElement>("#left");
    left.value = "mistakes";
    choice.change({ focus: at, left: "mistakes" });
    element("#images").scrollIntoView();
  });
  made.append(button);
  return made;
}
