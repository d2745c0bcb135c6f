import type { Value } from "../../engine/graph/value.js";
import { add, filled, relu, sub } from "../../engine/ops/elementwise.js";
import { globalAveragePool } from "../../engine/ops/pool.js";
import { concat } from "../../engine/ops/shaping.js";
import { invariant } from "../../platform/errors.js";
import { BatchNorm2d, Conv2d, Dropout } from "../layers/layers.js";
import type { Pass } from "../layers/pass.js";
import type { Scope } from "../layers/scope.js";
import { spreadOver } from "./resizing.js";

/** Anything that maps features to features. */
interface Layer {
  forward(x: Value, pass: Pass): Value;
}

/** A 3x3 look at each channel on its own, then a 1x1 mix of channels. Indices are smp's: 0 looks, 1 mixes. */
export class SeparableConv2d implements Layer {
  readonly #scope: Scope;
  readonly #look: Conv2d;
  readonly #mix: Conv2d;

  constructor(scope: Scope, { in: input, out, dilation }: { in: number; out: number; dilation: number }) {
    this.#scope = scope;
    this.#look = new Conv2d(scope.child(0), {
      in: input,
      out: input,
      kernel: 3,
      padding: dilation,
      dilation,
      groups: input,
    });
    this.#mix = new Conv2d(scope.child(1), { in: input, out, kernel: 1 });
  }

  forward(x: Value, pass: Pass): Value {
    return this.#scope.within(() => this.#mix.forward(this.#look.forward(x, pass), pass));
  }

  /** What some of the channels add to the answer, those from `first` on: it is linear in them. */
  forwardPart(x: Value, first: number, pass: Pass): Value {
    return this.#scope.within(() => this.#mix.forwardPart(this.#look.forwardPart(x, first, pass), first, pass));
  }
}

/** Convolution, batch norm, ReLU. Dilated ones are separable and 3x3, the others 1x1. */
export class ConvBnRelu implements Layer {
  readonly #scope: Scope;
  readonly #conv: Conv2d | SeparableConv2d;
  readonly #bn: BatchNorm2d;
  readonly #out: number;

  constructor(scope: Scope, { in: input, out, dilation }: { in: number; out: number; dilation?: number }) {
    this.#scope = scope;
    this.#out = out;
    this.#conv =
      dilation === undefined
        ? new Conv2d(scope.child(0), { in: input, out, kernel: 1 })
        : new SeparableConv2d(scope.child(0), { in: input, out, dilation });
    this.#bn = new BatchNorm2d(scope.child(1), out);
  }

  forward(x: Value, pass: Pass): Value {
    return this.#scope.within(() => relu(this.#bn.forward(this.#conv.forward(x, pass), pass)));
  }

  /**
   * The same, at rest, of two parts that stand one behind the other along channels: [M, C1, H, W] and [1, C2, H, W]. What the
   * second adds is computed once, however many images the first has.
   */
  forwardShared(own: Value, shared: Value, pass: Pass): Value {
    invariant(pass.batchNorm === "running", "a batch norm that depends on the batch has no parts");
    return this.#scope.within(() => {
      const part = (x: Value, first: number): Value => this.#bn.forward(this.#conv.forwardPart(x, first, pass), pass);
      // Each part gets the offset of the batch norm; it belongs into the sum once.
      const offset = this.#bn.forward(filled([1, this.#out, 1, 1], 0), pass);
      return relu(add(part(own, 0), sub(part(shared, own.shape[1]!), offset)));
    });
  }
}

/** What the whole image says, given back to every pixel. */
class ImagePooling implements Layer {
  readonly #scope: Scope;
  readonly #conv: Conv2d;
  readonly #bn: BatchNorm2d;

  constructor(scope: Scope, { in: input, out }: { in: number; out: number }) {
    this.#scope = scope;
    this.#conv = new Conv2d(scope.child(1), { in: input, out, kernel: 1 });
    this.#bn = new BatchNorm2d(scope.child(2), out);
  }

  forward(x: Value, pass: Pass): Value {
    return this.#scope.within(() => {
      const summary = relu(this.#bn.forward(this.#conv.forward(globalAveragePool(x), pass), pass)); // [N, out, 1, 1]
      return spreadOver(summary, x, pass);
    });
  }
}

/** Atrous spatial pyramid pooling: the same features seen at several reaches, then mixed (Chen et al., 2018). */
export class Aspp implements Layer {
  readonly #scope: Scope;
  readonly #branches: readonly Layer[];
  readonly #project: ConvBnRelu;
  readonly #dropout: Dropout;

  constructor(
    scope: Scope,
    { in: input, out, rates, dropout }: { in: number; out: number; rates: readonly number[]; dropout: number },
  ) {
    this.#scope = scope;
    const convs = scope.child("convs");
    this.#branches = [
      new ConvBnRelu(convs.child(0), { in: input, out }),
      ...rates.map((dilation, i) => new ConvBnRelu(convs.child(i + 1), { in: input, out, dilation })),
      new ImagePooling(convs.child(rates.length + 1), { in: input, out }),
    ];
    this.#project = new ConvBnRelu(scope.child("project"), { in: out * this.#branches.length, out });
    this.#dropout = new Dropout(dropout);
  }

  /** [N, in, H, W] -> [N, out, H, W] */
  forward(x: Value, pass: Pass): Value {
    return this.#scope.within(() => {
      const seen = this.#branches.map((branch) => branch.forward(x, pass));
      return this.#dropout.forward(this.#project.forward(concat(seen, 1), pass), pass);
    });
  }
}
