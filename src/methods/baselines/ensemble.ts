import type { DrawsMethod } from "../parts/method.js";

/** PE or MI of an ensemble (Lakshminarayanan et al., 2017; B-3). One of five members is the first five of one of ten. */
const ensemble = (measure: DrawsMethod["measure"], members: number): DrawsMethod => ({
  name: `ensemble-${measure}-${members}`,
  title: `Ens-${measure.toUpperCase()}_${members}`,
  family: "epistemic",
  network: { kind: "ensemble", members },
  obstacle: "it needs several networks",
  kind: "draws",
  measure,
  settings: ({ options: { average } }) => [{ average }],
});

export const ensembles = [ensemble("pe", 5), ensemble("mi", 5), ensemble("pe", 10), ensemble("mi", 10)] as const;
