/** The colour of a run in the plots. */
export function Swatch({ run }: { readonly run: number }) {
  return (
    <svg class="swatch" viewBox="0 0 22 8" aria-hidden="true">
      <path class={`curve s${run % 7}${run >= 7 ? " dashed" : ""}`} d="M1 4h20" />
    </svg>
  );
}
