type Colour = readonly [number, number, number];

/** Every label of a data set, as its authors list them: id, name, colour, and what it means to us. */
export type LabelTable = readonly (readonly [id: number, name: string, colour: Colour, meaning: number])[];

/** "rrggbb", as label rules spell a colour. */
export function hexColour([red, green, blue]: Colour): string {
  return ((red << 16) | (green << 8) | blue).toString(16).padStart(6, "0");
}

/** Id to meaning. */
export function idsOf(table: LabelTable): Record<string, number> {
  return Object.fromEntries(table.map(([id, , , meaning]) => [id, meaning]));
}

/** Colour to meaning. Where labels share a colour, the first that is a class wins, then the first of the table. */
export function coloursOf(table: LabelTable): Record<string, number> {
  const meanings: Record<string, number> = {};
  for (const [, , colour, meaning] of table) {
    const key = hexColour(colour);
    if (meanings[key] === undefined || (meanings[key] >= 254 && meaning < 254)) meanings[key] = meaning;
  }
  return meanings;
}
