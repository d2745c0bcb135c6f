import type { ModelDescription } from "../deployment/model/modelDescription.js";
import type { GammaConfig } from "../runs/config.js";

/** A file that the page checks after the download. */
export interface SiteFile {
  /** Address relative to the page. */
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** A model of the site. */
export interface SiteModel extends ModelDescription, SiteFile {
  readonly name: string;
  /** The scores that γ is compared with lie between these; null where the method's scale has no ends. */
  readonly scoreRange: readonly [least: number, most: number] | null;
  /** When an image is called out of domain, in words; null for a baseline, which does not measure it. */
  readonly outOfDomainRule: string | null;
}

export interface SiteExample {
  readonly name: string;
  readonly file: string;
  readonly width: number;
  readonly height: number;
}

/** What the training view trains: everything that decides its numbers. */
export interface SiteTraining {
  /** As `gssl train` would resolve it; its images are drawn scenes. */
  readonly config: GammaConfig;
  /** Labelled images of the target to measure on: drawn scenes. */
  readonly test: string;
  /** What it begins with. */
  readonly weights: SiteFile;
}

/** `models.json` of a site: what the page reads first. */
export interface SiteManifest {
  readonly version: 1;
  /** Changes when any file of the site does. */
  readonly id: string;
  readonly models: readonly SiteModel[];
  readonly examples: readonly SiteExample[];
  /** Absent where the site has no training view. */
  readonly training?: SiteTraining;
  /** The WebAssembly part of each kind of ONNX Runtime. */
  readonly runtimes: Readonly<Record<RuntimeKind, SiteFile>>;
  /** What the page needs without a network. */
  readonly offline: readonly string[];
}

/** The version is part of the folder's name, so that an address always gives the same bytes. */
export const runtimeFolder = "ort-1.30.0";

/** Files of onnxruntime-web: its script first, then what it loads. */
export const runtimeFiles = {
  wasm: ["ort.wasm.min.mjs", "ort-wasm-simd-threaded.mjs", "ort-wasm-simd-threaded.wasm"],
  webgpu: ["ort.jspi.min.mjs", "ort-wasm-simd-threaded.jspi.mjs", "ort-wasm-simd-threaded.jspi.wasm"],
} as const;

export type RuntimeKind = keyof typeof runtimeFiles;
