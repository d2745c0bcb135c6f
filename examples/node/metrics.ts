/** Metrics alone: how well does an uncertainty tell wrong pixels from right ones? Nothing of the rest of the package is loaded. */
import { judge, policies, SketchBuilder, summarise } from "gamma-ssl/metrics";

const labels = Uint8Array.from({ length: 700 }, (_, i) => i % 4);
const predicted = labels.map((label, i) => (i % 5 === 0 ? (label + 1) % 4 : label));
const uncertainty = Float32Array.from(labels, (_, i) => (i % 5 === 0 ? 0.55 : 0.2) + (i % 7) / 10);

const builder = new SketchBuilder();
builder.add("image-1", uncertainty, judge("image-1", labels, predicted, { classes: 4 }, policies.paper));
const { accuracy, auroc, maxAmd } = summarise(builder.finish(), { dataset: "made up", method: "mine" });
console.log(`accuracy ${accuracy?.toFixed(3)}, AUROC ${auroc?.toFixed(3)}, MaxA_MD ${maxAmd?.value.toFixed(3)}`);
