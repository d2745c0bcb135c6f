/// <reference lib="dom" />
import { useEffect, useMemo } from "preact/hooks";
import type { SiteManifest, SiteTraining } from "../../manifest.js";
import type { Preference } from "../engine/computing.js";
import { Header, type PageView } from "../header/header.js";
import { Actions } from "./actions.js";
import { Curves } from "./curves.js";
import { Explanation, SmallPrint } from "./explanation.js";
import { Gallery } from "./gallery.js";
import { TrainingSession } from "./session.js";
import "./training.css";

interface Props {
  readonly training: SiteTraining;
  readonly runtimes: SiteManifest["runtimes"];
  readonly preference: Preference;
  readonly views: readonly PageView[];
}

/** The view in which the visitor watches γ-SSL adapt a network. Its worker ends with it. */
export function TrainingView({ training, runtimes, preference, views }: Props) {
  const session = useMemo(() => new TrainingSession(training, runtimes, preference), [training, runtimes, preference]);
  useEffect(() => () => session.close(), [session]);
  const trouble = session.trouble.value;
  return (
    <div class="page training">
      <a class="skip" href="#training-steps">
        Skip to the training
      </a>
      <Header here="training" views={views} computing={session.computing.value}>
        A network learns a new place without labels, in this browser.
      </Header>
      <main id="training-steps" tabIndex={-1}>
        <Explanation />
        {trouble !== null && (
          <div class="notice" role="alert">
            <p>
              {trouble.message}
              {trouble.hint !== undefined && <span class="soft"> {trouble.hint}</span>}
            </p>
          </div>
        )}
        <Actions session={session} />
        <Gallery session={session} />
        <Curves session={session} />
        <SmallPrint training={training} />
      </main>
    </div>
  );
}
