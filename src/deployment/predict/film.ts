import { Sheet } from "../../data/images/sheet.js";
import type { RgbImage } from "../../data/images/tensors.js";
import { VideoWriter } from "./videoWriter.js";

/** The mp4 of a video: each frame with what is certain of it on its right. Where it cannot be written, frames go on without it. */
export class Film {
  readonly #path: string;
  readonly #rate: string;
  #writer: VideoWriter | undefined;
  #trouble: unknown;

  constructor(path: string, rate: string) {
    this.#path = path;
    this.#rate = rate;
  }

  async add({ rgb, width, height }: RgbImage, certain: Uint8Array): Promise<void> {
    if (this.#trouble !== undefined) return;
    try {
      const sheet = new Sheet(2, 1, { width, height });
      this.#writer ??= await VideoWriter.open(this.#path, { width: sheet.width, height, rate: this.#rate });
      sheet.paste(rgb, 0, 0);
      sheet.paste(certain, 1, 0);
      await this.#writer.write(sheet.rgb);
    } catch (error) {
      await this.abandon();
      this.#trouble = error;
    }
  }

  async finish(): Promise<void> {
    if (this.#trouble !== undefined) throw this.#trouble;
    await this.#writer?.finish();
  }

  async abandon(): Promise<void> {
    await this.#writer?.abandon();
    this.#writer = undefined;
  }
}
