import { context2d, element, make } from "../../html/element.js";
import type { ReportExample } from "../reportData.js";
import type { Choice } from "./choice.js";
import { type Layers, type Outcome, paintKept, paintLeft } from "./paint.js";
import { pixelsOf } from "./pixels.js";

/** Cards shown before "Show all". */
const FIRST = 6;

interface Card {
  readonly example: ReportExample;
  readonly figure: HTMLElement;
  readonly left: HTMLCanvasElement;
  readonly right: HTMLCanvasElement;
  readonly note: HTMLElement;
  visible: boolean;
  /** Which choice it was last painted for. */
  painted: string;
}

/** The images, worst first. Only those on screen are decoded and painted. */
export function openGallery(choice: Choice): void {
  const box = element("#gallery");
  const more = element<HTMLButtonElement>("#more");
  let cards: Card[] = [];
  let [shownFor, all] = ["", false];
  const watcher = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        const card = cards.find(({ figure }) => figure === target);
        if (card !== undefined) card.visible = isIntersecting;
      }
      schedule();
    },
    { rootMargin: "200px" },
  );
  let waiting = false;
  const schedule = (): void => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      for (const card of cards) if (card.visible) void paint(choice, card);
    });
  };
  const arrange = (): void => {
    const examples = sorted(choice);
    watcher.disconnect();
    cards = examples.slice(0, all ? examples.length : FIRST).map(makeCard);
    box.replaceChildren(...cards.map(({ figure }) => figure));
    for (const { figure } of cards) watcher.observe(figure);
    more.hidden = all || examples.length <= FIRST;
    more.textContent = `Show all ${examples.length} images`;
    element("#images").toggleAttribute("hidden", examples.length === 0);
  };
  more.addEventListener("click", () => {
    all = true;
    const next = cards.length;
    arrange();
    cards[next]?.figure.focus();
  });
  choice.onChange(() => {
    const ids = choice.place.examples.map((example) => (choice.imagesOf(example) === null ? 0 : 1)).join("");
    const focus = choice.focus === null ? "" : [choice.method, choice.focus.label, choice.focus.predicted].join(",");
    const wanted = `${choice.dataset} ${choice.sort} ${focus} ${ids}`;
    if (wanted !== shownFor) {
      if (!shownFor.startsWith(`${choice.dataset} `)) all = false;
      shownFor = wanted;
      arrange();
    }
    schedule();
  });
}

/**
 * Worst first over all methods together, so that images stay where they are when another method is chosen; images without
 * maps of that method are left out.
 */
function sorted(choice: Choice): ReportExample[] {
  const shown = choice.place.examples.filter((example) => choice.imagesOf(example) !== null);
  const { focus } = choice;
  if (focus !== null) {
    const pixels = (example: ReportExample): number => choice.confusedIn(example, focus);
    return shown.filter((example) => pixels(example) > 0).toSorted((a, b) => pixels(b) - pixels(a));
  }
  if (choice.sort === "name") return shown.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const mean = ({ methods }: ReportExample): number => {
    const known = methods.flatMap((one) => one?.[choice.sort === "auroc" ? "auroc" : "accuracy"] ?? []);
    return known.length === 0 ? 2 : known.reduce((so, value) => so + value, 0) / known.length;
  };
  return shown.toSorted((a, b) => mean(a) - mean(b));
}

function makeCard(example: ReportExample): Card {
  const figure = make("figure", "card");
  figure.tabIndex = -1;
  const panes = make("div", "panes");
  const canvas = (label: string): HTMLCanvasElement => {
    const made = make("canvas");
    made.width = example.width;
    made.height = example.height;
    made.setAttribute("role", "img");
    made.setAttribute("aria-label", `${example.id}: ${label}`);
    return made;
  };
  const left = canvas("image");
  const right = canvas("prediction, pixels that are not trusted in black");
  panes.append(left, right);
  const caption = make("figcaption");
  const note = make("span", "note");
  const larger = make("button", "larger", "enlarge");
  larger.type = "button";
  larger.setAttribute("aria-pressed", "false");
  larger.setAttribute("aria-label", `enlarge ${example.id}`);
  larger.addEventListener("click", () => {
    larger.setAttribute("aria-pressed", String(figure.classList.toggle("wide")));
  });
  caption.append(make("span", "id", example.id), note, larger);
  figure.append(panes, caption);
  return { example, figure, left, right, note, visible: false, painted: "" };
}

async function paint(choice: Choice, card: Card): Promise<void> {
  const { example, left, right, note } = card;
  const images = choice.imagesOf(example);
  if (images === null) return;
  const level = choice.levelOf(choice.current);
  const key = [
    choice.dataset,
    choice.method,
    level,
    choice.opacity,
    choice.left,
    choice.focus?.label,
    choice.focus?.predicted,
    ...choice.hidden,
  ].join(" ");
  if (card.painted === key) return;
  card.painted = key;
  const { width, height } = example;
  const [image, labels, predicted, levels] = await Promise.all([
    example.image === null ? null : pixelsOf(example.image, width, height),
    pixelsOf(example.labels, width, height),
    pixelsOf(images.predicted, width, height),
    pixelsOf(images.levels, width, height),
  ]);
  if (card.painted !== key) return; // the slider has moved on
  const layers: Layers = { image, labels, predicted, levels };
  const outcome = onCanvas(right, (out) => paintKept(out, layers, choice, level));
  onCanvas(left, (out) => paintLeft(out, layers, choice, level));
  left.setAttribute("aria-label", `${example.id}: ${choice.left}`);
  note.textContent = describe(outcome, images.accuracy);
}

function onCanvas<T>(canvas: HTMLCanvasElement, draw: (out: Uint8ClampedArray) => T): T {
  const context = context2d(canvas);
  const image = context.createImageData(canvas.width, canvas.height);
  const result = draw(image.data);
  context.putImageData(image, 0, 0);
  return result;
}

function describe({ kept, right }: Outcome, accuracy: number | null): string {
  const percent = (share: number): string => `${(share * 100).toFixed(0)} %`;
  const before = accuracy === null ? "" : `${percent(accuracy)} right · `;
  return kept === 0 ? `${before}nothing kept` : `${before}${percent(kept)} kept, ${percent(right)} of it right`;
}
