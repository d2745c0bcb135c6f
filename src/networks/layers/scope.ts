import { within } from "../../engine/graph/path.js";
import { input, type Value } from "../../engine/graph/value.js";
import type { Shape } from "../../engine/tensor/shape.js";
import { UserError } from "../../platform/errors.js";
import type { Init } from "./init.js";

/** A tensor the network keeps between steps: learned (`trained`) or gathered, like a running mean. */
export class Param {
  /** Checkpoint key and graph input, e.g. `encoder.layer1.0.conv1.weight`. */
  readonly path: string;
  readonly shape: Shape;
  readonly init: Init;
  readonly trained: boolean;
  readonly value: Value;

  constructor(path: string, shape: Shape, init: Init, trained: boolean) {
    this.path = path;
    this.shape = shape;
    this.init = init;
    this.trained = trained;
    this.value = input(path, { dtype: "float32", shape });
  }
}

/** Hands out named parameters. A module creates its own in its constructor and nowhere else. */
export class Scope {
  readonly #name: string;
  readonly #path: string;
  readonly #all: Map<string, Param>;

  constructor(name = "", parent?: { readonly path: string; readonly all: Map<string, Param> }) {
    this.#name = name;
    this.#path = parent === undefined || parent.path === "" ? name : `${parent.path}.${name}`;
    this.#all = parent?.all ?? new Map();
  }

  child(name: string | number): Scope {
    return new Scope(String(name), { path: this.#path, all: this.#all });
  }

  /** Something to learn. */
  param(name: string, shape: Shape, init: Init): Param {
    return this.#add(new Param(this.#join(name), shape, init, true));
  }

  /** Something to keep, but not by gradient. */
  state(name: string, shape: Shape, init: Init): Param {
    return this.#add(new Param(this.#join(name), shape, init, false));
  }

  /** Everything handed out under this scope and its children, in the order it was asked for. */
  get params(): Param[] {
    const prefix = this.#path === "" ? "" : `${this.#path}.`;
    return [...this.#all.values()].filter((param) => param.path.startsWith(prefix));
  }

  /** Build part of a graph under this module's name. */
  within<T>(build: () => T): T {
    return this.#name === "" ? build() : within(this.#name, build);
  }

  #join(name: string): string {
    return this.#path === "" ? name : `${this.#path}.${name}`;
  }

  #add(param: Param): Param {
    if (this.#all.has(param.path)) throw new UserError(`two parameters are called "${param.path}"`);
    this.#all.set(param.path, param);
    return param;
  }
}
