/// <reference lib="dom" />
import { context2d, element, elements, make } from "../../../html/element.js";
import "./style.css";

const root = document.documentElement;
const opacity = element<HTMLInputElement>("#opacity");
const toggle = element("#toggle");

opacity.addEventListener("input", () => {
  root.style.setProperty("--opacity", String(Number(opacity.value) / 100));
  element("#shown").textContent = `${opacity.value} %`;
});

const flip = (): void => {
  toggle.textContent = root.classList.toggle("hidden-labels") ? "show labels" : "hide labels";
};
toggle.addEventListener("click", flip);
document.addEventListener("keydown", (event) => {
  if (event.key !== " " || (event.target as Element).closest("button, input") !== null) return;
  event.preventDefault();
  flip();
});

for (const image of elements(".image")) {
  image.addEventListener("click", () => image.closest("figure")?.classList.toggle("large"));
}

for (const button of elements(".class")) {
  button.addEventListener("click", () => {
    const set = button.closest(".set")!;
    const on = button.getAttribute("aria-pressed") !== "true";
    for (const other of elements(".class", set)) other.setAttribute("aria-pressed", String(on && other === button));
    for (const canvas of elements(".alone", set)) canvas.remove();
    const colour = button.dataset.colour!.split(",").map(Number);
    for (const image of elements<HTMLImageElement>("img.labels", set)) {
      image.hidden = on;
      if (on) image.after(alone(image, colour));
    }
  });
}

/** Everything but one colour becomes transparent; the image beneath stays as it is. */
function alone(image: HTMLImageElement, [red, green, blue]: readonly number[]): HTMLCanvasElement {
  const canvas = make("canvas", "labels alone");
  canvas.width = image.naturalWidth;
  canvas.height = image.naturalHeight;
  const pen = context2d(canvas);
  pen.drawImage(image, 0, 0);
  const pixels = pen.getImageData(0, 0, canvas.width, canvas.height);
  const { data } = pixels;
  for (let i = 0; i < data.length; i += 4) {
    if (data[i] !== red || data[i + 1] !== green || data[i + 2] !== blue) data[i + 3] = 0;
  }
  pen.putImageData(pixels, 0, 0);
  return canvas;
}
