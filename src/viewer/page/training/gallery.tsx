import type { RgbImage } from "../../../data/images/tensors.js";
import { Painting } from "./painting.js";
import type { Measured, Shown } from "./protocol.js";
import type { TrainingSession } from "./session.js";

/** Images of the evening that training never sees: what the network was certain of before, and what it is certain of now. */
export function Gallery({ session }: { readonly session: TrainingSession }) {
  const shown = session.shown.value;
  if (shown === null) return <div class="gallery" />;
  const [before, now] = [session.measured.value[0], session.measured.value.at(-1)];
  return (
    <section class="gallery" aria-label="Images at dusk">
      <ol>
        {shown.images.map((image, i) => (
          <li key={i}>
            <Painting name="at dusk" label={`Image ${i + 1} at dusk`} image={image} />
            <Answered name="before" when="before the training" measured={before} {...{ image, shown, i }} />
            <Answered name="now" when={`after step ${now?.step}`} measured={now} {...{ image, shown, i }} />
            <p class="small">
              {before !== undefined && now !== undefined && <Numbers before={before.maps[i]!} now={now.maps[i]!} />}
            </p>
          </li>
        ))}
      </ol>
      <Classes shown={shown} measured={[before, now]} />
    </section>
  );
}

interface AnsweredProps {
  readonly name: string;
  readonly when: string;
  readonly image: RgbImage;
  readonly i: number;
  readonly shown: Shown;
  readonly measured: Measured | undefined;
}

/** What is certain in an image; nothing yet, where nothing was measured. */
function Answered({ name, when, image, i, shown, measured }: AnsweredProps) {
  if (measured === undefined)
    return (
      <div class="painting" data-name={name}>
        <p class="soft small">computing…</p>
      </div>
    );
  const { maps, gamma } = measured;
  const answer = { ...maps[i]!, gamma, colours: shown.classes.map(({ colour }) => colour) };
  const label = `Image ${i + 1}: ${percent(answer.certain)} certain ${when}`;
  return <Painting name={name} label={label} image={image} answer={answer} />;
}

type Shares = Pick<Measured["maps"][number], "certain" | "accuracy">;

function Numbers({ before, now }: { readonly before: Shares; readonly now: Shares }) {
  return (
    <>
      <span class="number">
        right {percent(before.accuracy)} → <b>{percent(now.accuracy)}</b>,
      </span>{" "}
      <span class="number soft">
        certain {percent(before.certain)} → {percent(now.certain)}
      </span>
    </>
  );
}

/** The colours of the classes that were seen so far. */
function Classes({ shown, measured }: { readonly shown: Shown; readonly measured: readonly (Measured | undefined)[] }) {
  const present = new Set(measured.flatMap((one) => one?.maps.flatMap(({ classes }) => [...new Set(classes)]) ?? []));
  return (
    <ul class="classes small soft">
      {shown.classes.map(({ name, colour }, k) =>
        present.has(k) ? (
          <li key={name}>
            <span class="swatch" style={{ "--colour": `rgb(${colour.join(" ")})` }} aria-hidden="true" /> {name}
          </li>
        ) : null,
      )}
      <li>
        <span class="swatch" style={{ "--colour": "#000" }} aria-hidden="true" /> not certain
      </li>
    </ul>
  );
}

const percent = (share: number): string => `${(100 * share).toFixed(0)} %`;
