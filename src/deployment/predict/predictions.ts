/** What became of an image. */
export interface ImageReport {
  readonly id: string;
  readonly file: string;
  /** Which frame of a video, or which image of those taken from a log, from 1. */
  readonly frame?: number;
  /** Size of the image, and of what was written. */
  readonly width: number;
  readonly height: number;
  /** Size at which the network saw it. */
  readonly scaled: { readonly width: number; readonly height: number };
  /** Share of its pixels that are certain. */
  readonly certain: number;
  /** How far it is from the images of the training, 1 at the limit; and whether that is beyond it. */
  readonly distance: number;
  readonly outOfDomain: boolean;
}

/** predictions.json */
export interface Predictions {
  readonly model: string;
  readonly gamma: number;
  readonly score: string;
  readonly classes: readonly string[];
  /** uncertainty = code * this */
  readonly uncertaintyStep: number;
  readonly outOfDomainRule: string;
  readonly images: readonly ImageReport[];
  /** Each video again, as an mp4 of the frames beside what is certain of them. */
  readonly videos: readonly { readonly file: string; readonly video: string }[];
  /** Each robot log again, with what the model says of its images, and a layout to look at it in Foxglove or Lichtblick. */
  readonly logs: readonly {
    readonly file: string;
    readonly topic: string;
    readonly log: string;
    readonly layout: string;
  }[];
  /** What could not be read, and why. */
  readonly skipped: readonly { readonly file: string; readonly reason: string }[];
}
