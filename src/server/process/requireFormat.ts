import { DataError } from "../../data/images/dataError.js";

/** How each format begins. Others that sharp could read are not taken: fewer decoders see untrusted bytes. */
const formats = [/^\xff\xd8\xff/, /^\x89PNG\r\n/, /^RIFF.{4}WEBP/s];

/** Refuse a body that is no JPEG, PNG or WebP, before any decoder sees it. */
export function requireFormat(bytes: Uint8Array): void {
  if (bytes.length === 0) {
    throw new DataError("image-empty", "the image", "the body of the request is empty", {
      hint: "send the bytes of the image, e.g. curl --data-binary @image.jpg",
    });
  }
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(16, bytes.length)).toString("latin1");
  if (formats.some((format) => format.test(head))) return;
  throw new DataError("image-unsupported", "the image", "is not JPEG, PNG or WebP", {
    hint: "curl --data-binary @image.jpg, or curl -F image=@image.jpg",
  });
}
