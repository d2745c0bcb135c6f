import { decodeImage } from "../../data/images/readImage.js";
import type { RgbImage } from "../../data/images/tensors.js";
import { type LoadedModel, loadModel, segmented } from "../../deployment/model/segment.js";
import { nodeRuntime } from "../../engine/runtime/node.js";
import { UserError } from "../../platform/errors.js";
import { imageOfForm } from "./imageOfForm.js";
import { infer } from "./infer.js";
import type { Answer, Job, ModelBytes, ProcessSettings } from "./job.js";
import { gammaOf, type ModelFacts, modelFacts } from "./modelFacts.js";
import { paint } from "./paint.js";
import { requireFormat } from "./requireFormat.js";
import { summarise } from "./summary.js";

/** A model that answers jobs. Computing blocks the thread. */
export class Answerer {
  readonly #name: string;
  readonly #model: LoadedModel;
  readonly #facts: ModelFacts;
  readonly #mostPixels: number;

  private constructor(name: string, model: LoadedModel, facts: ModelFacts, mostPixels: number) {
    this.#name = name;
    this.#model = model;
    this.#facts = facts;
    this.#mostPixels = mostPixels;
  }

  /** Load a model and try it once: one that cannot answer is refused here, not at the first request. */
  static async open({ name, file, bytes }: ModelBytes, { threads, mostPixels }: ProcessSettings): Promise<Answerer> {
    const facts = modelFacts(bytes, file);
    const model = await loadModel(nodeRuntime({ threads }), bytes, { file, name });
    const answerer = new Answerer(name, model, facts, mostPixels);
    summarise(await segmented(model, trialImage(facts.description.height)), facts);
    return answerer;
  }

  async answer(job: Job): Promise<Answer> {
    if (job.kind === "infer") return infer(this.#name, this.#model, this.#facts, job, this.#mostPixels);
    const gamma = gammaOf(this.#facts, job.gamma);
    if (job.output === "certain" && gamma === null) {
      throw new UserError("the model has no γ: nothing of an image is certain", { hint: "ask for output=overlay" });
    }
    const bytes = job.form === undefined ? job.body : await imageOfForm(job.body, job.form);
    requireFormat(bytes);
    const { image } = await decodeImage(bytes, "the image", this.#mostPixels);
    const segmentation = await segmented({ ...this.#model, gamma }, image);
    const { certainShare } = segmentation;
    const summary = summarise(segmentation, this.#facts);
    if (job.output === "summary") {
      const body = Buffer.from(`${JSON.stringify({ model: this.#name, gamma, ...summary })}\n`);
      return { type: "application/json", headers: {}, body, certainShare };
    }
    const { type, headers, body } = await paint(job.output, job.type, image, segmentation, this.#facts);
    const about = {
      "Gssl-Model": this.#name,
      ...(gamma !== null && { "Gssl-Gamma": String(gamma), "Gssl-Certain-Share": String(certainShare) }),
    };
    return { type, headers: { ...about, ...headers }, body, certainShare };
  }

  close(): Promise<void> {
    return this.#model.image.program.close();
  }
}

/** An image of the height of training, from dark to bright. */
function trialImage(height: number): RgbImage {
  const width = 2 * height;
  const rgb = Uint8Array.from({ length: width * height * 3 }, (_, i) => Math.floor(((i / 3) % width) * (255 / width)));
  return { width, height, rgb };
}
