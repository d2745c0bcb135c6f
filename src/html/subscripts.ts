import { escapeText } from "../platform/escape.js";

export interface Piece {
  readonly text: string;
  readonly below: boolean;
}

/** A_MD, F0.5 and L_c as they are written in the paper: which parts of a name stand below the line. */
export const subscripts = (name: string): Piece[] =>
  name
    .split(/(?<=F)(0\.5)|(?<=(?<![A-Z])[AL])_(MD|[a-z])\b/)
    .flatMap((text, i) => (text === undefined || text === "" ? [] : [{ text, below: i % 3 > 0 }]));

/** The same as HTML. */
export const nice = (name: string): string =>
  subscripts(name)
    .map(({ text, below }) => (below ? `<sub>${escapeText(text)}</sub>` : escapeText(text)))
    .join("");
