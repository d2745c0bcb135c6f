import type { SeededRandom } from "./seededRandom.js";
import type { Point } from "./view.js";

const circles: (readonly Point[])[] = Array.from({ length: 40 }, (_, corners) =>
  Array.from(
    { length: corners },
    (_, i) => [Math.cos((i / corners) * 2 * Math.PI), Math.sin((i / corners) * 2 * Math.PI)] as const,
  ),
);

/** Corners of a unit circle, from a table: an image holds thousands of leaves and stones. */
function circle(corners: number): readonly Point[] {
  return circles[corners]!;
}

/** Ellipse as a closed outline. */
export function ellipse(cx: number, cy: number, rx: number, ry: number, corners = 12): Point[] {
  const outline: Point[] = [];
  for (const corner of circle(corners)) outline.push([cx + rx * corner[0], cy + ry * corner[1]]);
  return outline;
}

/** An ellipse with a rough edge: crowns, bushes, stones, clouds. `rough` is the share of the radius that may be lost. */
export function blob(
  chance: SeededRandom,
  cx: number,
  cy: number,
  rx: number,
  ry: number,
  rough = 0.25,
  corners = Math.max(9, Math.min(30, Math.round((rx + ry) / 6))),
): Point[] {
  const outline: Point[] = [];
  for (const corner of circle(corners)) {
    const r = 1 - rough * chance.next();
    outline.push([cx + rx * r * corner[0], cy + ry * r * corner[1]]);
  }
  return outline;
}

/** A ring as one outline: out along the rim, back along the inside. */
export function ring(cx: number, cy: number, rx: number, ry: number, thick: number): Point[] {
  const outer = ellipse(cx, cy, rx, ry, 14);
  const inner = ellipse(cx, cy, Math.max(0.1, rx - thick), Math.max(0.1, ry - thick), 14).toReversed();
  return [...outer, outer[0]!, inner.at(-1)!, ...inner];
}

/** A straight stroke of a given width, optionally thinner at its end. */
export function bar(from: Point, to: Point, width: number, endWidth = width): Point[] {
  const dx = to[0] - from[0];
  const dy = to[1] - from[1];
  const length = Math.hypot(dx, dy) || 1;
  const [nx, ny] = [-dy / length / 2, dx / length / 2];
  return [
    [from[0] + nx * width, from[1] + ny * width],
    [to[0] + nx * endWidth, to[1] + ny * endWidth],
    [to[0] - nx * endWidth, to[1] - ny * endWidth],
    [from[0] - nx * width, from[1] - ny * width],
  ];
}

/** The outline pulled towards its middle; 1 keeps it as it is. */
export function shrink(outline: readonly Point[], share: number): Point[] {
  let cx = 0;
  let cy = 0;
  for (const point of outline) {
    cx += point[0] / outline.length;
    cy += point[1] / outline.length;
  }
  return outline.map((point) => [cx + (point[0] - cx) * share, cy + (point[1] - cy) * share] as const);
}

/** Convex hull (monotone chain), e.g. of a footprint and where its shadow falls. */
export function hull(points: readonly Point[]): Point[] {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const half = (list: readonly Point[]): Point[] => {
    const chain: Point[] = [];
    for (const p of list) {
      while (chain.length > 1) {
        const [a, b] = [chain.at(-2)!, chain.at(-1)!];
        if ((b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) > 0) break;
        chain.pop();
      }
      chain.push(p);
    }
    return chain.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.toReversed())];
}
