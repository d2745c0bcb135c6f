import sharp from "sharp";
import type { Channel, Message, Schema } from "../../data/logs/logFile.js";
import { LogWriter } from "../../data/logs/logWriter.js";
import {
  compressedDefinition,
  flagDefinition,
  imageDefinition,
  numberDefinition,
  type Stamp,
  writeCompressed,
  writeFlag,
  writeImage,
  writeNumber,
} from "../../data/logs/rosMessages.js";
import { mostUncertain } from "../../methods/gamma-ssl/score.js";
import { programVersion } from "../../platform/environment.js";
import type { Prediction } from "../model/deployedModel.js";
import type { ModelInfo } from "../model/modelInfo.js";
import type { PredictedImage } from "./predictImage.js";
import { jpegOf, uncertaintyCodes } from "./writePrediction.js";

/** What is written of each image beside the image itself. */
export const predictionTopics = {
  /** Colours of the classes. */
  segmentation: "/gssl/segmentation",
  /** The image in these colours, black where it is not certain: to look at. */
  certain: "/gssl/certain",
  /** Class ids. */
  classes: "/gssl/classes",
  /** Codes of 16 bits; the metadata "gssl" has their step. */
  uncertainty: "/gssl/uncertainty",
  certainShare: "/gssl/certain_share",
  outOfDomain: "/gssl/out_of_domain",
} as const;

const definitions = {
  segmentation: compressedDefinition,
  certain: compressedDefinition,
  classes: imageDefinition,
  uncertainty: imageDefinition,
  certainShare: numberDefinition,
  outOfDomain: flagDefinition,
} as const;

type Topic = keyof typeof predictionTopics;

/** How the messages of the log that was read are written. */
interface Source {
  readonly channel: Channel;
  readonly schema: Schema;
}

export interface PredictedFrame extends PredictedImage {
  readonly message: Message;
  readonly at: Stamp;
}

/**
 * The .mcap of a predicted log: the images as they were, and what the model says of each, with the same times and frame ids. Messages are
 * those of ROS 2, which Foxglove, Lichtblick and ROS itself read.
 */
export class PredictionLog {
  readonly #writer: LogWriter;
  readonly #info: ModelInfo;
  /** Channels of the log that was read to those that its messages are copied to. */
  readonly #sources: ReadonlyMap<number, number>;
  readonly #channels: Readonly<Record<Topic, number>>;

  private constructor(
    writer: LogWriter,
    info: ModelInfo,
    sources: ReadonlyMap<number, number>,
    channels: Record<Topic, number>,
  ) {
    this.#writer = writer;
    this.#info = info;
    this.#sources = sources;
    this.#channels = channels;
  }

  static async create(
    path: string,
    { sources, info, model }: { readonly sources: readonly Source[]; readonly info: ModelInfo; readonly model: string },
  ): Promise<PredictionLog> {
    const profile = sources.every(({ channel }) => channel.messageEncoding === "cdr") ? "ros2" : "";
    const writer = await LogWriter.create(path, { profile, library: `gamma-ssl ${programVersion()}` });
    try {
      const copied = new Map<number, number>();
      for (const { channel, schema } of sources) copied.set(channel.id, await writer.copyTopic(channel, schema));
      const channels = {} as Record<Topic, number>;
      for (const topic of Object.keys(predictionTopics) as Topic[]) {
        channels[topic] = await writer.topic(predictionTopics[topic], definitions[topic]);
      }
      const about = {
        model,
        gamma: info.gamma,
        score: info.score,
        uncertaintyStep: mostUncertain(info.score) / 65_535,
        classes: info.classes,
      };
      const text = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));
      await writer.addMetadata("gssl", new Map(Object.entries(about).map(([key, value]) => [key, text(value)])));
      return new PredictionLog(writer, info, copied, channels);
    } catch (error) {
      await writer.abandon();
      throw error;
    }
  }

  async add({ message, at, report, prediction, certain }: PredictedFrame): Promise<void> {
    const { width, height, predicted, similarity } = prediction;
    const size = { width, height };
    const codes = uncertaintyCodes(similarity, this.#info.score);
    const contents: Record<Topic, Uint8Array> = {
      segmentation: writeCompressed(at, "png", await colourPng(prediction, this.#info)),
      certain: writeCompressed(at, "jpeg", await jpegOf({ ...size, rgb: certain })),
      classes: writeImage(at, { ...size, encoding: "mono8", data: predicted }),
      uncertainty: writeImage(at, { ...size, encoding: "16UC1", data: littleEndian(codes) }),
      certainShare: writeNumber(report.certain),
      outOfDomain: writeFlag(report.outOfDomain),
    };
    await this.#writer.add(this.#sources.get(message.channelId)!, message, message.data);
    for (const topic of Object.keys(contents) as Topic[]) {
      await this.#writer.add(this.#channels[topic], message, contents[topic]);
    }
  }

  finish(): Promise<void> {
    return this.#writer.finish();
  }

  abandon(): Promise<void> {
    return this.#writer.abandon();
  }
}

function littleEndian(codes: Uint16Array): Uint8Array {
  const bytes = Buffer.from(codes.buffer, codes.byteOffset, codes.byteLength);
  return new Uint8Array(Uint16Array.of(1).buffer)[0] === 1 ? bytes : Buffer.from(bytes).swap16();
}

function colourPng({ width, height, predicted }: Prediction, { classes }: ModelInfo): Promise<Buffer> {
  const rgb = new Uint8Array(3 * predicted.length);
  for (let i = 0; i < predicted.length; i++) rgb.set(classes[predicted[i]!]!.colour, 3 * i);
  return sharp(rgb, { raw: { width, height, channels: 3 } })
    .png({ palette: false, compressionLevel: 4 })
    .toBuffer();
}
