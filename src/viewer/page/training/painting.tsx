/// <reference lib="dom" />
import { useEffect, useRef } from "preact/hooks";
import type { RgbImage } from "../../../data/images/tensors.js";

/** How much of a class's colour covers the image. */
const OPACITY = 0.75;

/** What a model says of an image. */
interface Answer {
  readonly classes: Uint8Array;
  readonly score: Float32Array;
  readonly gamma: number;
  readonly colours: readonly (readonly [number, number, number])[];
}

interface Props {
  /** A word to tell it from those beside it. */
  readonly name: string;
  readonly label: string;
  readonly image: RgbImage;
  /** Painted over the image, black where it is not certain; the image itself when left out. */
  readonly answer?: Answer;
}

/** An image, or what a model is certain of in it. */
export function Painting({ name, label, image, answer }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const { width, height } = image;
  useEffect(() => {
    const pixels = new ImageData(width, height);
    for (let i = 0; i < width * height; i++) pixels.data.set([...pixelOf(image, answer, i), 255], 4 * i);
    canvas.current!.getContext("2d")!.putImageData(pixels, 0, 0);
  }, [image, answer?.classes]); // the other parts of an answer change with its classes
  return (
    <div class="painting" data-name={name}>
      <canvas ref={canvas} width={width} height={height} role="img" aria-label={label} />
    </div>
  );
}

function pixelOf({ rgb }: RgbImage, answer: Answer | undefined, i: number): readonly number[] {
  const [red, green, blue] = [rgb[3 * i]!, rgb[3 * i + 1]!, rgb[3 * i + 2]!];
  if (answer === undefined) return [red, green, blue];
  if (answer.score[i]! < answer.gamma) return [0, 0, 0];
  const grey = (1 - OPACITY) * (0.3 * red + 0.59 * green + 0.11 * blue);
  return answer.colours[answer.classes[i]!]!.map((part) => grey + OPACITY * part);
}
