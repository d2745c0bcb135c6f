/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

/** An element that the page is known to have. */
export function element<T extends Element = HTMLElement>(selector: string, within: ParentNode = document): T {
  const found = within.querySelector<T>(selector);
  if (found === null) throw new Error(`the page has no ${selector}`);
  return found;
}

/** All elements of a kind. */
export const elements = <T extends Element = HTMLElement>(selector: string, within: ParentNode = document): T[] => [
  ...within.querySelectorAll<T>(selector),
];

/** A new element with a class and plain text in it; never HTML. */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  className = "",
  textContent = "",
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = textContent;
  return made;
}

/** What a canvas is painted with. */
export function context2d(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (context === null) throw new Error("this browser has no canvas");
  return context;
}
