import { context2d } from "../../html/element.js";

/** One byte a pixel of a grey image. */
export type ByteMap = Uint8ClampedArray;

const decoded = new Map<string, Promise<ByteMap>>();

/** Decode an image given as data address into red, green, blue and alpha bytes. Each is decoded once. */
export function pixelsOf(address: string, width: number, height: number): Promise<ByteMap> {
  const known = decoded.get(address);
  if (known !== undefined) return known;
  const pixels = decode(address, width, height);
  decoded.set(address, pixels);
  return pixels;
}

async function decode(address: string, width: number, height: number): Promise<ByteMap> {
  const image = new Image();
  image.src = address;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  const context = context2d(canvas);
  context.drawImage(image, 0, 0, width, height);
  return context.getImageData(0, 0, width, height).data;
}
