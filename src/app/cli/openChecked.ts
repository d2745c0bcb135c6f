import type { Dataset } from "../../data/datasets/dataset.js";
import { openDataset } from "../../data/datasets/openDataset.js";
import type { Screen } from "./trainStatus.js";

export async function openChecked(spec: string, { cache }: { cache: string; screen: Screen }): Promise<Dataset> {
  return openDataset(spec, { cache });
}
