/** Okabe and Ito's colours, which people with any kind of colour vision can tell apart; the darker ones first. */
export const palette = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#5b6068"] as const;
