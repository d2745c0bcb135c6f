import { Painting } from "./painting.js";
import type { TrainingSession } from "./session.js";

/** Images of the town that training never sees: what the network was certain of before, and what it is certain of now. */
export function Gallery({ session }: { readonly session: TrainingSession }) {
  const shown = session.shown.value;
  const [before, now] = [session.measured.value[0], session.measured.value.at(-1)];
  if (shown === null || before === undefined || now === undefined) return <div class="gallery" />;
  const { images, classes } = shown;
  const looks = [
    { name: "before", when: "before the training", ...before },
    { name: "now", when: `after step ${now.step}`, ...now },
  ];
  const present = new Set(looks.flatMap(({ maps }) => maps.flatMap((one) => [...new Set(one.classes)])));
  return (
    <section class="gallery" aria-label="Images of the town">
      <ol>
        {images.map((image, i) => (
          <li key={image}>
            <Painting name="the town" label={`Image ${i + 1} of the town`} image={image} />
            {looks.map(({ name, when, maps, gamma }) => (
              <Painting
                key={name}
                name={name}
                label={`Image ${i + 1}: ${percent(maps[i]!.certain)} certain ${when}`}
                image={image}
                answer={{ ...maps[i]!, gamma, colours: classes.map(({ colour }) => colour) }}
              />
            ))}
            <p class="small number">
              {percent(now.maps[i]!.certain)} certain{" "}
              <span class="soft">(before: {percent(before.maps[i]!.certain)})</span>
            </p>
          </li>
        ))}
      </ol>
      <ul class="classes small soft">
        {classes.map(({ name, colour }, k) =>
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
    </section>
  );
}

const percent = (share: number): string => `${(100 * share).toFixed(0)} %`;
