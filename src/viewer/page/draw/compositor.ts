/// <reference lib="dom" />
import { heat, heatStops } from "../../../data/images/heat.js";
import { UserError } from "../../../platform/errors.js";
import type { Maps } from "../engine/protocol.js";
import { fragmentShader, vertexShader } from "./shaders.js";

/** What can be shown of an image, in the shader's order. */
export const views = ["image", "segmentation", "uncertainty", "certain"] as const;
export type View = (typeof views)[number];

export type HeatScale = "cividis" | "turbo";

/** Everything that decides what a canvas shows, besides the image and the maps. */
export interface Look {
  readonly left: View;
  readonly right: View;
  /** Left of this share of the width is the left view. */
  readonly wipe: number;
  readonly gamma: number;
  /** The score in the middle of the uncertainty scale, and the distance to its ends. */
  readonly scale: readonly [middle: number, reach: number];
  readonly opacity: number;
  readonly heat: HeatScale;
  readonly colours: readonly (readonly [number, number, number])[];
  readonly hidden: ReadonlySet<number>;
}

const textures = ["image", "classes", "score", "palette", "heat"] as const;

/** Draws an image and what a model says of it, as fast as a slider moves: γ, classes and the wipe are decided for each pixel on the GPU. */
export class Compositor {
  readonly canvas: HTMLCanvasElement | OffscreenCanvas;
  #gl!: WebGL2RenderingContext;
  #at!: (name: string) => WebGLUniformLocation | null;
  #shown: { readonly image: ImageBitmap; readonly maps: Maps; readonly times: number } | null = null;
  #look: Look | null = null;

  constructor(canvas: HTMLCanvasElement | OffscreenCanvas) {
    this.canvas = canvas;
    this.#start();
    canvas.addEventListener("webglcontextlost", (event) => event.preventDefault());
    canvas.addEventListener("webglcontextrestored", () => {
      this.#start();
      const [shown, look] = [this.#shown, this.#look];
      if (shown !== null) this.show(shown.image, shown.maps, shown.times);
      if (look !== null) this.draw(look);
    });
  }

  #start(): void {
    const gl = this.canvas.getContext("webgl2", {
      alpha: false,
      antialias: false,
      preserveDrawingBuffer: true,
    }) as WebGL2RenderingContext | null;
    if (gl === null)
      throw new UserError("this browser has no WebGL 2, which draws the images", {
        hint: "try another browser, or switch hardware acceleration on",
      });
    this.#gl = gl;
    const program = gl.createProgram()!;
    for (const [kind, text] of [
      [gl.VERTEX_SHADER, vertexShader],
      [gl.FRAGMENT_SHADER, fragmentShader],
    ] as const) {
      const shader = gl.createShader(kind)!;
      gl.shaderSource(shader, text);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost())
      throw new Error(`internal: the shader does not link: ${gl.getProgramInfoLog(program)}`);
    gl.useProgram(program);
    this.#at = (name) => gl.getUniformLocation(program, name);
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
    for (const [unit, name] of textures.entries()) {
      gl.activeTexture(gl.TEXTURE0 + unit);
      gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
      // Only the image and the heat scale are smooth: a class between two others means nothing.
      const filter = name === "image" || name === "heat" ? gl.LINEAR : gl.NEAREST;
      gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, filter);
      gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, filter);
      gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
      gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
      gl.uniform1i(this.#at(name), unit);
    }
  }

  /** Take an image and the maps of a model, drawn `times` as large. The image is kept until the next one. */
  show(image: ImageBitmap, maps: Maps, times = 1): void {
    this.#shown = { image, maps, times };
    const gl = this.#gl;
    const [width, height] = [times * image.width, times * image.height];
    if (this.canvas.width !== width || this.canvas.height !== height) {
      this.canvas.width = width;
      this.canvas.height = height;
    }
    this.#bind("image");
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, image);
    this.#bind("classes");
    const { width: w, height: h, classes, score } = maps;
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.R8UI, w, h, 0, gl.RED_INTEGER, gl.UNSIGNED_BYTE, classes);
    this.#bind("score");
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.R32F, w, h, 0, gl.RED, gl.FLOAT, score);
  }

  draw(look: Look): void {
    this.#look = look;
    if (this.#shown === null) return;
    const gl = this.#gl;
    const { width, height } = this.canvas;
    gl.viewport(0, 0, width, height);
    this.#table("palette", paletteBytes(look));
    this.#table("heat", heatBytes(look.heat));
    gl.uniform2f(this.#at("size"), width, height);
    gl.uniform1f(this.#at("gamma"), look.gamma);
    gl.uniform2f(this.#at("scale"), ...look.scale);
    gl.uniform1f(this.#at("opacity"), look.opacity);
    gl.uniform1f(this.#at("wipe"), look.wipe);
    gl.uniform2i(this.#at("sides"), views.indexOf(look.left), views.indexOf(look.right));
    gl.drawArrays(gl.TRIANGLES, 0, 3);
  }

  #bind(name: (typeof textures)[number]): void {
    this.#gl.activeTexture(this.#gl.TEXTURE0 + textures.indexOf(name));
  }

  /** A texture of one row. */
  #table(name: "palette" | "heat", rgba: Uint8Array): void {
    this.#bind(name);
    const gl = this.#gl;
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, rgba.length / 4, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, rgba);
  }
}

function paletteBytes({ colours, hidden }: Look): Uint8Array {
  const bytes = new Uint8Array(256 * 4);
  for (const [k, colour] of colours.entries()) bytes.set([...colour, hidden.has(k) ? 0 : 255], 4 * k);
  return bytes;
}

/** Stops of turbo, a rainbow of even steps: it shows more levels than cividis, but not to every kind of colour vision. */
const turboStops = [
  [48, 18, 59],
  [70, 107, 227],
  [40, 187, 236],
  [50, 242, 152],
  [164, 252, 60],
  [238, 207, 58],
  [251, 128, 34],
  [208, 48, 5],
  [122, 4, 3],
] as const;

const heatTables = new Map<HeatScale, Uint8Array>();

export const heatScales = { cividis: heatStops, turbo: turboStops } as const;

function heatBytes(name: HeatScale): Uint8Array {
  let bytes = heatTables.get(name);
  if (bytes === undefined) {
    bytes = new Uint8Array(256 * 4).fill(255);
    for (let i = 0; i < 256; i++) heat(bytes, 4 * i, i / 255, heatScales[name]);
    heatTables.set(name, bytes);
  }
  return bytes;
}
