/** A point on the image, in drawing units: the image is always UNITS_WIDE wide. */
export type Point = readonly [x: number, y: number];

/** Corners of something closed, in order, either way round. */
export type Outline = readonly Point[];

/** Drawing units across the image, whatever its size in pixels. */
export const UNITS_WIDE = 1024;

/** Nothing closer than this is drawn; metres. */
export const NEAR = 2;

export interface Camera {
  /** Metres above the road. */
  readonly height: number;
  /** Focal length as a share of the image's width: 0.5 is wide, 1 is narrow. */
  readonly focal: number;
  /** Degrees; positive looks down, right, and tilts clockwise. */
  readonly pitch: number;
  readonly yaw: number;
  readonly roll: number;
  /** Metres to the right of the road's centre line. */
  readonly offset: number;
}

/** How the road lies ahead: metres it has moved sideways and risen at 100 m. */
export interface Lie {
  readonly bend: number;
  readonly climb: number;
}

/**
 * Where a point of the world lands on the image.
 *
 * Positions are given in the frame of the road: u metres right of its centre line, h metres above it, z metres ahead.
 * Bends and slopes are in here, so everything placed beside the road follows it.
 */
export class View {
  readonly camera: Camera;
  readonly width = UNITS_WIDE;
  readonly height: number;
  readonly #lie: Lie;
  readonly #focal: number;
  readonly #roll: readonly [cos: number, sin: number];
  readonly #pitch: number;
  readonly #yaw: number;

  constructor(camera: Camera, lie: Lie, aspect: number) {
    this.camera = camera;
    this.height = UNITS_WIDE / aspect;
    this.#lie = lie;
    this.#focal = camera.focal * UNITS_WIDE;
    const roll = (camera.roll * Math.PI) / 180;
    this.#roll = [Math.cos(roll), Math.sin(roll)];
    this.#pitch = Math.tan((camera.pitch * Math.PI) / 180);
    this.#yaw = Math.tan((camera.yaw * Math.PI) / 180);
  }

  at(u: number, h: number, z: number): Point {
    const depth = Math.max(z, NEAR * 0.5);
    // Quadratic near us, straight in the distance, so far ground never folds over.
    const away = (2 * depth * depth) / (100 * (100 + depth));
    const right = u + this.#lie.bend * away - this.camera.offset;
    const up = h + this.#lie.climb * away - this.camera.height;
    const x = this.#focal * (right / depth - this.#yaw);
    const y = this.#focal * (-up / depth - this.#pitch);
    const [cos, sin] = this.#roll;
    return [this.width / 2 + x * cos - y * sin, this.height / 2 + x * sin + y * cos];
  }

  /** Drawing units per metre at a distance. */
  scale(z: number): number {
    return this.#focal / Math.max(z, NEAR * 0.5);
  }

  /** Sideways reach, in metres, that is sure to leave the image on both sides at this distance. */
  reach(z: number): number {
    return 14 + Math.abs(this.camera.offset) + Math.abs(this.#lie.bend) + z * (1.6 / this.camera.focal);
  }

  /** Height on the image of the far end of flat ground. */
  get horizon(): number {
    return this.at(this.camera.offset, 0, 4000)[1];
  }
}
