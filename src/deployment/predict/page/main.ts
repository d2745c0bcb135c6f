/// <reference lib="dom" />
import { element, elements } from "../../../html/element.js";
import "./style.css";

const cards = element("#cards");
const given = elements(".card", cards);
const order = element<HTMLSelectElement>("#order");
const strange = element<HTMLInputElement>("#strange");
const share = (card: HTMLElement): number => Number(card.dataset.certain);

order.addEventListener("change", () => {
  cards.append(...(order.value === "given" ? given : given.toSorted((a, b) => share(a) - share(b))));
});
strange.addEventListener("change", () => cards.classList.toggle("only", strange.checked));
