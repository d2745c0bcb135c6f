/** The offer that an Accept header prefers, the first among equals; undefined where it takes none of them. */
export function negotiate<Offer extends string>(
  accept: string | undefined,
  offers: readonly Offer[],
): Offer | undefined {
  const ranges = (accept ?? "*/*").split(",").map((range) => {
    const [type = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
    const q = parameters.find((one) => one.startsWith("q="));
    return { type, q: q === undefined ? 1 : Number(q.slice(2)) || 0 };
  });
  let best: { readonly offer: Offer; readonly q: number } | undefined;
  for (const offer of offers) {
    // The most exact range that fits decides.
    const exact = [offer, `${offer.split("/")[0]}/*`, "*/*"];
    const fit = exact.map((type) => ranges.find((range) => range.type === type)).find((range) => range !== undefined);
    if (fit !== undefined && fit.q > (best?.q ?? 0)) best = { offer, q: fit.q };
  }
  return best?.offer;
}
