import type { Settings } from "../../../methods/scorer.js";
import type { Panel } from "../panels/panel.js";
import type { ResultFile } from "../resultFile.js";

/** One method of a group: the settings that it might have, the first of them unless others are tried. */
export interface Contender {
  readonly method: string;
  readonly settings: readonly Settings[];
  readonly remarks: readonly string[];
}

/** Methods that are run together, because they share a network. */
export interface Group {
  readonly network: NonNullable<ResultFile["network"]>;
  readonly contenders: readonly Contender[];
  /** A panel of some methods with some of their settings, by place. */
  open(wanted: readonly { readonly method: string; readonly setting: number }[]): Panel;
}
