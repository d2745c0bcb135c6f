/** What the report's script reads: everything that moves. Plain data, embedded in the page as JSON. */
export interface ReportData {
  readonly datasets: readonly ReportDataset[];
}

export interface ReportDataset {
  readonly name: string;
  readonly classes: readonly { readonly name: string; readonly colour: readonly [number, number, number] }[];
  /** Labels whose pixels are not scored: 255 void, perhaps 254 unknown. */
  readonly unscored: readonly number[];
  readonly methods: readonly ReportMethod[];
  readonly examples: readonly ReportExample[];
}

/** What happens at each level of the slider: one entry a level in each column. Null where there is nothing to divide by. */
export interface LevelColumns {
  readonly threshold: readonly number[];
  /** Share of pixels kept. */
  readonly certain: readonly number[];
  /** Share of the kept pixels that are right. */
  readonly precision: readonly (number | null)[];
  readonly tpr: readonly (number | null)[];
  readonly fpr: readonly (number | null)[];
  readonly pac: readonly number[];
  readonly amd: readonly number[];
  readonly f05: readonly number[];
}

export interface ReportMethod {
  readonly label: string;
  readonly levels: LevelColumns;
  /** Pixels of each class (row) that were given each class (column); null where not counted. */
  readonly confusion: readonly (readonly number[])[] | null;
  /** Levels worth jumping to. */
  readonly marks: readonly { readonly name: string; readonly meaning: string; readonly level: number }[];
}

/** Images as data addresses. Maps have one grey byte a pixel. */
export interface ReportExample {
  readonly id: string;
  readonly width: number;
  readonly height: number;
  readonly image: string | null;
  /** Class ids, 254 unknown, 255 void. */
  readonly labels: string;
  /** By method; null for a method that kept no maps of this image. */
  readonly methods: readonly (ExampleOfMethod | null)[];
}

export interface ExampleOfMethod {
  readonly predicted: string;
  /** The level from which on a pixel is kept. */
  readonly levels: string;
  /** True class, given class, pixels: what was confused in the whole image, most first. */
  readonly confused: readonly (readonly [label: number, predicted: number, pixels: number])[];
  /** Over the whole image, from its own sketch. */
  readonly accuracy: number | null;
  readonly auroc: number | null;
}

/** Where the frame of a plot lies within its drawing; the script places dots with it. */
export const frame = { width: 320, height: 262, left: 50, top: 12, right: 14, bottom: 46 } as const;

/** The plots that have a dot for each method, and which columns say where. */
export const dotted = {
  roc: ["fpr", "tpr"],
  pr: ["tpr", "precision"],
  amd: ["pac", "amd"],
  f05: ["pac", "f05"],
} as const satisfies Record<string, readonly [keyof LevelColumns, keyof LevelColumns]>;
