import sharp from "sharp";
import { writeAtomically } from "../platform/atomicFile.js";
import type { Plot } from "./plot.js";
import { plotCsv, plotLatex } from "./plotNumbers.js";
import { plotFile } from "./plotSvg.js";

/** Write a plot as SVG, PNG, CSV and LaTeX; returns the paths. `stem` is that of the files, without an ending. */
export async function writePlot(stem: string, plot: Plot): Promise<string[]> {
  const svg = plotFile(plot);
  const files = {
    [`${stem}.svg`]: svg,
    [`${stem}.png`]: await pngOf(svg),
    [`${stem}.csv`]: plotCsv(plot),
    [`${stem}.tex`]: plotLatex(plot),
  };
  for (const [path, content] of Object.entries(files)) await writeAtomically(path, content);
  return Object.keys(files);
}

const SVG = { operation: ["VipsForeignLoadSvg"] };

/** Our own drawing may be read as SVG, unlike any image of a file: see `readImage`. */
async function pngOf(svg: string): Promise<Buffer> {
  sharp.unblock(SVG);
  try {
    return await sharp(Buffer.from(svg), { density: 192 }).png().toBuffer();
  } finally {
    sharp.block(SVG);
  }
}
