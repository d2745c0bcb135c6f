import { DataError } from "../../data/images/dataError.js";
import { type ImageFormat, imageFormat } from "../../data/images/imageFormat.js";

/** Others are read from files, but not over HTTP: fewer decoders see untrusted bytes. */
const taken: readonly (ImageFormat | null)[] = ["JPEG", "PNG", "WebP"];

/** Refuse a body that is no JPEG, PNG or WebP, before any decoder sees it. */
export function requireFormat(bytes: Uint8Array): void {
  if (bytes.length === 0) {
    throw new DataError("image-empty", "the image", "the body of the request is empty", {
      hint: "send the bytes of the image, e.g. curl --data-binary @image.jpg",
    });
  }
  if (taken.includes(imageFormat(bytes))) return;
  throw new DataError("image-unsupported", "the image", "is not JPEG, PNG or WebP", {
    hint: "curl --data-binary @image.jpg, or curl -F image=@image.jpg",
  });
}
