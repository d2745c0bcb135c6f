import { subscripts } from "../../../html/subscripts.js";
import { ticks } from "../../../report/plot.js";
import { smoothed } from "../../../report/smoothed.js";

/** A line of a plot: points with rising x. */
export interface Line {
  readonly name: string;
  readonly points: readonly (readonly [x: number, y: number])[];
  /** Points scatter: they are drawn faint, with their running mean over them. */
  readonly noisy?: boolean;
  /** For a line that may lie on another one. */
  readonly dashed?: boolean;
}

const [WIDTH, HEIGHT] = [320, 150];
const EDGE = { left: 34, right: 6, top: 8, bottom: 20 };
/** Share of the past in the mean of a noisy line. */
const PAST = 0.9;

interface Props {
  readonly title: string;
  readonly lines: readonly Line[];
  /** Steps in all. */
  readonly steps: number;
  /** The least that the y axis covers; it grows with the lines. */
  readonly range: readonly [low: number, high: number];
}

/** Lines over the steps of the training, with the value of each in the legend. */
export function Plot({ title, lines, steps, range }: Props) {
  const drawn = lines.map((line) => {
    const mean = line.noisy ? meansOf(line.points) : line.points;
    return {
      ...line,
      mean,
      told: told(mean, line.noisy),
      look: `line-${lines.indexOf(line)}${line.dashed ? " dashed" : ""}`,
    };
  });
  const seen = drawn.flatMap(({ mean }) => mean.map(([, y]) => y));
  const [low, high] = [Math.min(range[0], ...seen), Math.max(range[1], ...seen)];
  const x = (step: number): number => EDGE.left + ((WIDTH - EDGE.left - EDGE.right) * step) / Math.max(1, steps);
  const y = (value: number): number =>
    EDGE.top + (HEIGHT - EDGE.top - EDGE.bottom) * (1 - (Math.min(Math.max(value, low), high) - low) / (high - low));
  const path = (points: Line["points"]): string =>
    points.map(([step, value], i) => `${i === 0 ? "M" : "L"}${x(step).toFixed(1)} ${y(value).toFixed(1)}`).join("");
  const marks = ticks({ from: low, to: high });
  const summary = drawn.map(({ name, told: value }) => `${name} ${value}`).join(", ");
  return (
    <figure class="plot">
      <figcaption>{title}</figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`${title} by step. Now: ${summary}.`}>
        {marks.map((tick) => (
          <g key={tick} class="tick">
            <line x1={EDGE.left} x2={WIDTH - EDGE.right} y1={y(tick)} y2={y(tick)} />
            <text x={EDGE.left - 5} y={y(tick) + 3.5} text-anchor="end">
              {tickText(tick, marks)}
            </text>
          </g>
        ))}
        <text class="tick" x={EDGE.left} y={HEIGHT - 5}>
          0
        </text>
        <text class="tick" x={WIDTH - EDGE.right} y={HEIGHT - 5} text-anchor="end">
          {steps} steps
        </text>
        {drawn.map(({ name, points, mean, noisy, look }) => (
          <g key={name} class={look}>
            {noisy && <path class="raw" d={path(points)} />}
            <path d={path(mean)} />
            {mean.length > 0 && <circle cx={x(mean.at(-1)![0])} cy={y(mean.at(-1)![1])} r="3" />}
          </g>
        ))}
      </svg>
      <ul>
        {drawn.map(({ name, told: value, look }) => (
          <li key={name} class={look}>
            <span class="key" aria-hidden="true" />
            <span>{subscripts(name).map(({ text, below }) => (below ? <sub>{text}</sub> : text))}</span>{" "}
            <b class="number">{value}</b>
          </li>
        ))}
      </ul>
    </figure>
  );
}

function meansOf(points: Line["points"]): Line["points"] {
  const means = smoothed(
    points.map(([, y]) => y),
    PAST,
  );
  return points.map(([x], i) => [x, means[i]!]);
}

/** The last value, after the first one where the points are few and exact. */
function told(points: Line["points"], noisy = false): string {
  const [first, last] = [points[0], points.at(-1)].map((point) => point?.[1].toFixed(3) ?? "–");
  return noisy || points.length < 2 ? last! : `${first} → ${last}`;
}

const tickText = (tick: number, [first = 0, second = 1]: readonly number[]): string =>
  tick.toFixed(Math.max(0, -Math.floor(Math.log10(second - first))));
