import { subscripts } from "../../../html/subscripts.js";

/** The name of a measure, as the paper writes it. */
export const Name = ({ of }: { readonly of: string }) =>
  subscripts(of).map(({ text, below }) => (below ? <sub key={text}>{text}</sub> : text));
