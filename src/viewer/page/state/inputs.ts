/// <reference lib="dom" />
import { UserError } from "../../../platform/errors.js";
import type { SiteExample } from "../../manifest.js";

/** Something to look at. Images are decoded when they are; `address` is what a thumbnail shows. */
export interface Item {
  readonly id: number;
  readonly name: string;
  readonly kind: "image" | "video" | "camera";
  readonly address: string;
  readonly file: Blob | null;
}

/** More pixels would take hundreds of megabytes several times over. */
const MOST_PIXELS = 50e6;
const MOST_BYTES = 300e6;
/** Images of a folder that are listed. */
const MOST_FILES = 1000;

let nextId = 0;

export const exampleItem = ({ name, file }: SiteExample): Item => ({
  id: nextId++,
  name,
  kind: "image",
  address: new URL(file, document.baseURI).href,
  file: null,
});

/** Blob addresses last as long as the page; the browser decodes thumbnails when they come into view. */
export const fileItem = (file: File): Item => ({
  id: nextId++,
  name: file.name,
  kind: file.type.startsWith("video/") ? "video" : "image",
  address: URL.createObjectURL(file),
  file,
});

export const cameraItem = (): Item => ({ id: nextId++, name: "webcam", kind: "camera", address: "", file: null });

/** Files that were dropped, those in dropped folders too, and the names of a folder's that are no images. */
export async function droppedFiles(data: DataTransfer): Promise<{ files: File[]; skipped: string[] }> {
  // Entries are only there until the event is over: all of them are taken before anything is waited for.
  const entries = [...data.items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  if (entries.length === 0) return { files: [...data.files], skipped: [] };
  const single = entries.filter((entry) => entry.isFile);
  const files = await Promise.all(single.map((entry) => fileOf(entry as FileSystemFileEntry)));
  const below: File[] = [];
  for (const entry of entries) if (entry.isDirectory) await walk(entry as FileSystemDirectoryEntry, below);
  const skipped = below.filter((file) => !isViewable(file)).map(({ name }) => name);
  return { files: [...files, ...viewableOf(below)].slice(0, MOST_FILES), skipped };
}

/** Images and videos among a folder's files, in the order of their names. */
export function viewableOf(files: readonly File[]): File[] {
  const path = (file: File): string => file.webkitRelativePath || file.name;
  return files
    .filter(isViewable)
    .toSorted((a, b) => path(a).localeCompare(path(b), "en", { numeric: true }))
    .slice(0, MOST_FILES);
}

const isViewable = ({ type, name }: File): boolean => /^(image|video)\//.test(type) && !name.startsWith(".");

async function walk(folder: FileSystemDirectoryEntry, into: File[]): Promise<void> {
  const reader = folder.createReader();
  while (into.length < MOST_FILES) {
    // A reader gives a hundred entries at a time, and none at the end.
    const entries = await new Promise<FileSystemEntry[]>((done, fail) => reader.readEntries(done, fail));
    if (entries.length === 0) return;
    for (const entry of entries) {
      if (entry.isDirectory) await walk(entry as FileSystemDirectoryEntry, into);
      else into.push(await fileOf(entry as FileSystemFileEntry));
    }
  }
}

const fileOf = (entry: FileSystemFileEntry): Promise<File> => new Promise((done, fail) => entry.file(done, fail));

/** Decode an image. What cannot be shown is refused before it takes memory. */
export async function decode({ name, address, file }: Item): Promise<ImageBitmap> {
  if (file?.size === 0) {
    throw new UserError(`${name} is empty: it has 0 bytes`, { hint: "copy or export it again", code: "image-empty" });
  }
  if (file !== null && file.size > MOST_BYTES) {
    throw new UserError(`${name} has ${megabytes(file.size)}, at most ${megabytes(MOST_BYTES)} can be opened`, {
      hint: "make it smaller first",
      code: "image-too-large",
    });
  }
  const image = new Image();
  // Loading reads the size; pixels are decoded when they are drawn.
  await new Promise<void>((done, fail) => {
    image.onload = () => done();
    image.onerror = () =>
      fail(
        new UserError(`${name} is not an image that this browser can read`, {
          hint: "JPEG, PNG, WebP and AVIF work everywhere",
          code: "image-unreadable",
        }),
      );
    image.src = address;
  });
  const pixels = image.naturalWidth * image.naturalHeight;
  if (pixels > MOST_PIXELS) {
    throw new UserError(
      `${name} has ${(pixels / 1e6).toFixed(0)} megapixels (${image.naturalWidth} × ${image.naturalHeight}), at most ${MOST_PIXELS / 1e6} can be opened`,
      { hint: "make it smaller first", code: "image-too-large" },
    );
  }
  return createImageBitmap(image).catch((cause: unknown) => {
    throw new UserError(`${name} could not be decoded`, {
      hint: "is the file damaged?",
      code: "image-unreadable",
      cause,
    });
  });
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`;

/** A film or a webcam that plays, to take frames from. */
export async function openFilm(item: Item): Promise<HTMLVideoElement> {
  const film = document.createElement("video");
  film.muted = true;
  film.playsInline = true;
  film.loop = item.kind === "video";
  if (item.kind === "camera") film.srcObject = await openCamera();
  else film.src = item.address;
  await film.play().catch((cause: unknown) => {
    throw new UserError(`${item.name} is not a film that this browser can play`, {
      hint: "MP4 with H.264 and WebM work in most browsers",
      code: "video-unreadable",
      cause,
    });
  });
  return film;
}

async function openCamera(): Promise<MediaStream> {
  // Absent where the page came over plain http.
  const { mediaDevices } = navigator as { mediaDevices?: MediaDevices };
  if (mediaDevices === undefined) {
    throw new UserError("this browser gives the webcam only to pages that come over https, or from this machine");
  }
  const video = { facingMode: "environment", width: { ideal: 1280 } };
  return mediaDevices.getUserMedia({ video }).catch((cause: Error) => {
    const why = cause.name === "NotAllowedError" ? "it was not allowed" : cause.message;
    throw new UserError(`the webcam could not be opened: ${why}`, { hint: "allow it beside the address bar", cause });
  });
}

export function closeFilm(film: HTMLVideoElement): void {
  film.pause();
  if (film.srcObject instanceof MediaStream) for (const track of film.srcObject.getTracks()) track.stop();
  film.srcObject = null;
  film.removeAttribute("src");
  film.load();
}
