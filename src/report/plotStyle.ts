import { palette, paletteOnDark } from "./palette.js";

const variables = (colours: readonly string[]): string => colours.map((colour, i) => `--s${i}:${colour}`).join(";");

/**
 * How plots look in a page (`plotInPage`), in light and dark: colours of series as --s0 to --s6. The page defines --line, --soft and --card.
 */
export const plotStyle = `
:root{${variables(palette)}}
@media (prefers-color-scheme:dark){:root{${variables(paletteOnDark)}}}
svg.plot{display:block;width:100%;height:auto;overflow:visible}
svg.plot text{font-size:12.5px;fill:var(--soft)}
svg.plot .stage-name{font-size:10.5px;paint-order:stroke;stroke:var(--card);stroke-width:3px}
.stage{stroke:var(--soft);stroke-dasharray:4 3;stroke-width:1}
.grid{stroke:var(--line);stroke-width:1}
.axis{stroke:var(--soft);fill:none;stroke-width:1}
.chance{fill:none;stroke:var(--soft);stroke-dasharray:2 4}
.curve{fill:none;stroke-width:1.8;stroke-linejoin:round;stroke-linecap:round}
.band{opacity:.22;stroke-width:1;stroke-linejoin:round}
.curve.dashed{stroke-dasharray:6 4}
.curve.dotted{stroke-dasharray:1 4;stroke-width:2.2}
${palette.map((_, i) => `.curve.s${i},.band.s${i}{stroke:var(--s${i})}.dot.s${i},.band.s${i}{fill:var(--s${i})}`).join("")}
`;
