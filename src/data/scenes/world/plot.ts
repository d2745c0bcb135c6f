/** Who stands where on the ground, so that nobody is drawn inside somebody else. Metres, in the frame of the road. */
export class Plot {
  readonly #taken: { u: number; z: number; halfU: number; halfZ: number }[] = [];

  /** Take a rectangle around (u, z) if it is free; false, and nothing taken, if it is not. */
  claim(u: number, z: number, halfU: number, halfZ: number): boolean {
    const free = this.#taken.every(
      (other) => Math.abs(other.u - u) > other.halfU + halfU || Math.abs(other.z - z) > other.halfZ + halfZ,
    );
    if (free) this.#taken.push({ u, z, halfU, halfZ });
    return free;
  }
}
