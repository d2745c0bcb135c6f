/** A page that segments an image in the browser, black where the model is not certain. `model.onnx` lies in `public/`. */
import { Segmenter } from "gamma-ssl/web";

const input = document.querySelector("input")!;
const output = document.querySelector("output")!;
const canvas = document.querySelector("canvas")!;
const segmenter = await Segmenter.open(new URL("model.onnx", document.baseURI));
output.textContent = `${segmenter.description.classes.length} classes`;

input.addEventListener("change", async () => {
  const [file] = input.files ?? [];
  if (file === undefined) return;
  const { width, height, classes, certain, certainShare, colours } = await segmenter.segment(file);
  const picture = new ImageData(width, height);
  for (const [i, index] of classes.entries()) {
    const colour = certain?.[i] === 0 ? [0, 0, 0] : colours[index]!;
    picture.data.set([...colour, 255], 4 * i);
  }
  [canvas.width, canvas.height] = [width, height];
  canvas.getContext("2d")!.putImageData(picture, 0, 0);
  output.textContent = `${(100 * (certainShare ?? 1)).toFixed(1)} % certain`;
});
