/**
 * Segment an image with an exported model, and say how much of it the model is certain of.
 *
 *   node segment.js model.onnx image.jpg
 */
import { Segmenter, UserError } from "gamma-ssl";

const [model, image] = process.argv.slice(2);
try {
  const segmenter = await Segmenter.open(model ?? "model.onnx", { threads: 2 });
  const { width, height, classes, certain, certainShare, names } = await segmenter.segment(image ?? "image.jpg");
  console.log(`${width} x ${height}, ${(100 * (certainShare ?? 1)).toFixed(1)} % certain`);
  for (const [index, name] of names.entries()) {
    const pixels = classes.filter((found, i) => found === index && certain?.[i] !== 0).length;
    if (pixels > 0) console.log(`${name}: ${pixels} certain pixels`);
  }
  await segmenter.close();
} catch (error) {
  if (!(error instanceof UserError)) throw error;
  console.error(`${error.message}${error.hint === undefined ? "" : ` (${error.hint})`}`);
  process.exitCode = 1;
}
