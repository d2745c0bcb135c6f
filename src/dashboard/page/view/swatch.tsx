import { palette } from "../../../report/palette.js";

/** The colour of a run in the plots. */
export function Swatch({ run, dotted = false }: { readonly run: number; readonly dotted?: boolean }) {
  const look = `s${run % palette.length}${run >= palette.length ? " dashed" : ""}${dotted ? " dotted" : ""}`;
  return (
    <svg class="swatch" viewBox="0 0 22 8" aria-hidden="true">
      <path class={`curve ${look}`} d="M2 4h18" />
    </svg>
  );
}
