import { dotted, frame } from "../reportData.js";
import type { Choice } from "./choice.js";

type PlotName = keyof typeof dotted;

/** A dot for each method on each curve, at the level the slider stands at; a click on a plot moves the slider there. */
export function openDots(choice: Choice): void {
  const plots = [...document.querySelectorAll<SVGSVGElement>("svg[data-plot]")].flatMap((svg) => {
    const name = svg.dataset.plot ?? "";
    return name in dotted ? [{ svg, name: name as PlotName, axes: axesOf(svg) }] : [];
  });
  for (const { svg, name, axes } of plots) {
    svg.addEventListener("click", (event) => jump(choice, svg, name, axes, event));
  }
  choice.onChange(() => {
    const levels = choice.place.methods.map((method) => choice.levelOf(method));
    for (const { svg, name, axes } of plots) {
      if (svg.closest<HTMLElement>("[data-dataset]")?.dataset.dataset !== String(choice.dataset)) continue;
      for (const mark of svg.querySelectorAll<SVGElement>("[data-method]")) {
        const k = Number(mark.dataset.method);
        mark.classList.toggle("selected", k === choice.method);
        if (mark.tagName !== "circle") continue;
        const at = placeOf(choice, k, name, axes, levels[k]!);
        mark.toggleAttribute("hidden", at === null);
        mark.setAttribute("cx", String(at?.x ?? -20));
        mark.setAttribute("cy", String(at?.y ?? -20));
      }
    }
  });
}

interface Axes {
  readonly x: readonly [number, number];
  readonly y: readonly [number, number];
}

function axesOf(svg: SVGSVGElement): Axes {
  const [a = 0, b = 1, c = 0, d = 1] = (svg.dataset.axes ?? "").split(" ").map(Number);
  return { x: [a, b], y: [c, d] };
}

/** Where a method's dot lies on a plot, in the units of the drawing; null where a rate is undefined. */
function placeOf(
  choice: Choice,
  method: number,
  name: PlotName,
  { x, y }: Axes,
  level: number,
): { x: number; y: number } | null {
  const { levels } = choice.place.methods[method]!;
  const [across, up] = dotted[name];
  // With nothing kept precision is undefined; the curve is drawn from that of the surest pixels.
  const [u, v] = [levels[across][level], levels[up][level] ?? (name === "pr" ? levels[up][1] : null)];
  if (u === null || u === undefined || v === null || v === undefined) return null;
  const [width, height] = [frame.width - frame.left - frame.right, frame.height - frame.top - frame.bottom];
  return {
    x: frame.left + ((u - x[0]) / (x[1] - x[0])) * width,
    y: frame.top + height - ((v - y[0]) / (y[1] - y[0])) * height,
  };
}

/** Choose the method and level whose point is nearest to the click. */
function jump(choice: Choice, svg: SVGSVGElement, name: PlotName, axes: Axes, event: MouseEvent): void {
  const box = svg.getBoundingClientRect();
  const x = ((event.clientX - box.left) / box.width) * frame.width;
  const y = ((event.clientY - box.top) / box.height) * frame.height;
  let nearest = { distance: Number.POSITIVE_INFINITY, method: choice.method, level: 0 };
  for (const [method, { levels }] of choice.place.methods.entries()) {
    for (let level = 0; level < levels.certain.length; level++) {
      const at = placeOf(choice, method, name, axes, level);
      if (at === null) continue;
      const distance = Math.hypot(at.x - x, at.y - y);
      if (distance < nearest.distance) nearest = { distance, method, level };
    }
  }
  if (nearest.distance === Number.POSITIVE_INFINITY) return;
  choice.pin(nearest.method, nearest.level);
  choice.announce();
}
