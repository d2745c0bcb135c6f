import type { ComponentChildren } from "preact";
import type { Computing } from "../engine/computing.js";
import { Badge } from "./badge.js";

/** The views of the page, by the hash in its address. */
export const viewAddresses = { images: "#", training: "#training" } as const;
export type PageView = keyof typeof viewAddresses;

const titles: Readonly<Record<PageView, string>> = { images: "Your images", training: "Watch it learn" };

interface Props {
  readonly here: PageView;
  /** Views there are; with one there is nothing to choose. */
  readonly views: readonly PageView[];
  readonly computing: Computing;
  readonly children: ComponentChildren;
}

export function Header({ here, views, computing, children }: Props) {
  return (
    <header>
      <div>
        <h1>Segmentation that knows where it is wrong</h1>
        <p class="soft">{children}</p>
      </div>
      <div class="where">
        {views.length > 1 && (
          <nav aria-label="Views">
            {views.map((view) => (
              <a key={view} href={viewAddresses[view]} {...(view === here && { "aria-current": "page" })}>
                {titles[view]}
              </a>
            ))}
          </nav>
        )}
        <Badge computing={computing} />
      </div>
    </header>
  );
}
