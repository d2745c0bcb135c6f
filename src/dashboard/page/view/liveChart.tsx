/// <reference lib="dom" />
import type { Signal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import type { Plot, Point } from "../../../report/plot.js";
import { plotInPage } from "../../../report/plotSvg.js";
import { frame } from "../../../report/reportData.js";
import { grouped, short } from "../state/words.js";
import { Name } from "./name.js";
import { Swatch } from "./swatch.js";

interface Props {
  readonly plot: Plot;
  /** The step under the pointer, in whichever plot it is. */
  readonly pointed: Signal<number | null>;
}

const inner = frame.width - frame.left - frame.right;

/** A plot, with the values at the step under the pointer, or the last ones. */
export function LiveChart({ plot, pointed }: Props) {
  const { x, series, title, meaning } = plot;
  // The pointer moves more often than the curves.
  const drawing = useMemo(() => plotInPage(plot), [plot]);
  const at = pointed.value === null || pointed.value < x.from ? null : pointed.value;
  const point = ({ clientX, currentTarget }: PointerEvent): void => {
    const box = (currentTarget as HTMLElement).getBoundingClientRect();
    const share = (((clientX - box.left) / box.width) * frame.width - frame.left) / inner;
    pointed.value = share < 0 || share > 1 ? null : x.from + share * (x.to - x.from);
  };
  const place = at === null ? 0 : (frame.left + ((at - x.from) / (x.to - x.from)) * inner) / frame.width;
  return (
    <figure class="card plot-card">
      <figcaption>
        <h3>
          <Name of={title} />
        </h3>
        <p class="soft small values">
          {at !== null && <span>step {grouped(at)}:</span>}
          {series.map(({ label, points, look }) => (
            <span key={label} class="number">
              {series.length > 1 && look !== undefined && <Swatch run={look.colour} dotted={look.dotted} />}
              {series.length > 1 && <span class="unseen">{label}</span>}
              {short((at === null ? points.at(-1)! : nearest(points, at)).y)}
            </span>
          ))}
        </p>
        {meaning !== "" && <p class="soft small">{meaning}</p>}
      </figcaption>
      <div class="plot-area" onPointerMove={point} onPointerLeave={() => (pointed.value = null)}>
        {/* plotInPage escapes every name in it. */}
        <div dangerouslySetInnerHTML={{ __html: drawing }} />
        {at !== null && <span class="pointer" style={{ left: `${100 * place}%` }} />}
      </div>
    </figure>
  );
}

const nearest = (points: readonly Point[], x: number): Point =>
  points.reduce((best, point) => (Math.abs(point.x - x) < Math.abs(best.x - x) ? point : best));
