/** How a file begins, by the format it is in. A name or a "format" field may say anything; a decoder is chosen by the bytes alone. */
const formats = {
  JPEG: /^\xff\xd8\xff/,
  PNG: /^\x89PNG\r\n/,
  WebP: /^RIFF.{4}WEBP/s,
  GIF: /^GIF8[79]a/,
  TIFF: /^(II\*\0|MM\0\*)/,
  // Among the brands that the file says it is compatible with, where it is not the first.
  AVIF: /^.{4}ftyp(.{4})*?avi[fs]/s,
} as const;

export type ImageFormat = keyof typeof formats;

/** Enough bytes to tell every format. */
const HEAD = 48;

const headOf = (bytes: Uint8Array): string => String.fromCharCode(...bytes.subarray(0, HEAD));

/** The format of a file, or null where it is none that is read here. */
export function imageFormat(bytes: Uint8Array): ImageFormat | null {
  const head = headOf(bytes);
  for (const [name, begins] of Object.entries(formats)) if (begins.test(head)) return name as ImageFormat;
  return null;
}

/** What a file is that is no image of a known format, for messages: "is text, not an image that can be read". */
export function kindOf(bytes: Uint8Array): string {
  const head = headOf(bytes);
  if (/^.{4}ftyp(hei|hev|mif1|msf1)/s.test(head)) return "HEIC";
  if (head.startsWith("BM")) return "BMP";
  const start = bytes.subarray(0, 1024);
  if (/<svg[\s>]/.test(String.fromCharCode(...start))) return "SVG";
  const readable = start
    .subarray(0, 64)
    .every((byte) => byte === 9 || byte === 10 || byte === 13 || (byte >= 32 && byte < 127));
  return readable ? "text" : "of an unknown kind";
}
