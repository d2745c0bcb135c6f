import { UserError } from "../../platform/errors.js";
import { knownHint } from "../../platform/nearest.js";
import { printable } from "../../platform/printable.js";
import { foxgloveImages, readJsonImage, readProtobufImage } from "./foxgloveImages.js";
import type { ImageMessage } from "./imageMessage.js";
import { type Channel, LogFile, type Message, type MessagePlace, type Schema } from "./logFile.js";
import { hasUsualFields, readRosImage, rosImages, rosName } from "./rosImages.js";

/** A topic of images. */
export interface ImageTopic {
  readonly topic: string;
  /** The type of its messages, e.g. "sensor_msgs/msg/Image". */
  readonly type: string;
  /** How they are written: ros1, cdr, protobuf or json. */
  readonly encoding: string;
  /** Undefined where the log does not say. */
  readonly count: bigint | undefined;
}

/** An image of a topic. */
export interface Frame extends MessagePlace {
  /** Its log time, e.g. "1700000000_250000000": sorted as text, frames are in order. */
  readonly id: string;
  /** Its place among all images of the topic, from 1. */
  readonly number: number;
}

/** The topics of images of a log, and the images themselves. */
export class ImageLog {
  readonly log: LogFile;
  readonly #channels: readonly ImageChannel[];

  private constructor(log: LogFile) {
    this.log = log;
    this.#channels = [...log.channels].flatMap((channel) => imageChannel(channel, log.schemaOf(channel)));
  }

  static async open(file: string): Promise<ImageLog> {
    return new ImageLog(await LogFile.open(file));
  }

  /** Topics of images, by name. A topic that several nodes wrote to is listed once. */
  get topics(): ImageTopic[] {
    const found = new Map<string, ImageTopic>();
    for (const { channel, type } of this.#channels) {
      const { topic, messageEncoding: encoding } = channel;
      const [own, before] = [this.log.countOf(channel), found.get(topic)?.count ?? 0n];
      found.set(topic, { topic, type, encoding, count: own === undefined ? undefined : own + before });
    }
    return [...found.values()].sort((a, b) => (a.topic < b.topic ? -1 : 1));
  }

  /** The topic of that name; without one, the only topic of images there is. */
  choose(topic: string | undefined): ImageTopic {
    const { topics } = this;
    if (topics.length === 0) throw this.#noImages();
    const found = topic === undefined ? topics : topics.filter((one) => one.topic === topic);
    if (found.length === 1) return found[0]!;
    const listed = topics.map(describe).join("; ");
    if (topic === undefined) {
      throw new UserError(`${this.log.file}: has ${topics.length} topics of images: ${listed}`, {
        hint: printable(`name one: "mcap:${this.log.path}?topic=${topics[0]!.topic}"`),
      });
    }
    throw new UserError(`${this.log.file}: has no topic of images "${printable(topic)}", but ${listed}`, {
      hint: knownHint(
        topic,
        topics.map((one) => one.topic),
      ),
    });
  }

  #noImages(): UserError {
    const others = [...this.log.channels].map(
      (channel) => `${channel.topic} (${this.log.schemaOf(channel)?.name || "no type"}, ${channel.messageEncoding})`,
    );
    const types = [...Object.keys(rosImages), ...Object.keys(foxgloveImages)].join(", ");
    return new UserError(
      printable(
        `${this.log.file}: has no topic of images${others.length === 0 ? ", and no other" : `, but ${others.slice(0, 20).join("; ")}`}`,
      ),
      { hint: `images are messages of ${types}` },
    );
  }

  /** How the messages of a topic are written: by one channel as a rule, by several where several nodes wrote them. */
  channelsOf(topic: string): { readonly channel: Channel; readonly schema: Schema }[] {
    return this.#channels.filter(({ channel }) => channel.topic === topic);
  }

  /** The images of a topic, in order of log time. No chunk is read. */
  async frames(topic: string): Promise<Frame[]> {
    const places = await this.log.places(topic);
    return places.map((place, i) => ({ ...place, id: idOf(place), number: i + 1 }));
  }

  /** The messages of some frames, given in order, with a function that reads the image. */
  async *read(
    topic: string,
    frames: readonly Frame[],
  ): AsyncGenerator<{ readonly frame: Frame; readonly message: Message; image(): ImageMessage }> {
    const byPlace = new Map<MessagePlace, Frame>(frames.map((frame) => [frame, frame]));
    for await (const { place, message } of this.log.messages(topic, frames)) {
      const frame = byPlace.get(place)!;
      yield { frame, message, image: () => this.#decode(topic, frame, message) };
    }
  }

  #decode(topic: string, frame: Frame, message: Message): ImageMessage {
    const found = this.#channels.find(({ channel }) => channel.id === message.channelId);
    try {
      if (found === undefined) throw new RangeError("its channel holds no images");
      return found.decode(message.data);
    } catch (cause) {
      throw badFrame(this.log.file, topic, frame, cause);
    }
  }

  close(): Promise<void> {
    return this.log.close();
  }
}

/** A frame that cannot be used, with its place: every rule that a message breaks ends up here. */
export function badFrame(file: string, topic: string, frame: Frame, cause: unknown): UserError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new UserError(printable(`${file}: ${topic}: message ${frame.number} (${frame.id}): ${why}`), {
    hint: "is it what the recorder wrote? from= and to= leave a part of the log out",
    cause,
  });
}

const describe = ({ topic, type, encoding, count }: ImageTopic): string =>
  printable(`${topic} (${type}, ${encoding}${count === undefined ? "" : `, ${count} messages`})`);

function idOf({ logTime, nth }: MessagePlace): string {
  const seconds = String(logTime / 1_000_000_000n).padStart(10, "0");
  const rest = String(logTime % 1_000_000_000n).padStart(9, "0");
  return `${seconds}_${rest}${nth === 0 ? "" : `_${String(nth + 1).padStart(4, "0")}`}`;
}

interface ImageChannel {
  readonly channel: Channel;
  readonly schema: Schema;
  readonly type: string;
  readonly decode: (data: Uint8Array) => ImageMessage;
}

/** Empty where a channel holds no images. */
function imageChannel(channel: Channel, schema: Schema | undefined): ImageChannel[] {
  if (schema === undefined) return [];
  const { name: type, encoding: written } = schema;
  const { messageEncoding: encoding } = channel;
  if ((encoding === "ros1" || encoding === "cdr") && Object.hasOwn(rosImages, rosName(type))) {
    const usual = !written.endsWith("msg") || hasUsualFields(type, new TextDecoder().decode(schema.data));
    const decode = (data: Uint8Array): ImageMessage => {
      if (!usual) throw new RangeError(`its ${type} is defined with other fields than that of ROS`);
      return readRosImage(type, encoding, data);
    };
    return [{ channel, schema, type, decode }];
  }
  if (!Object.hasOwn(foxgloveImages, type)) return [];
  if (encoding === "protobuf") return [{ channel, schema, type, decode: (data) => readProtobufImage(type, data) }];
  if (encoding === "json") return [{ channel, schema, type, decode: (data) => readJsonImage(type, data) }];
  return [];
}

/** Part of a log, in seconds since its first message. */
export interface Stretch {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** The frames of a topic within a part of the log: from ≤ time < to. */
export async function framesWithin(images: ImageLog, topic: string, { from, to }: Stretch): Promise<Frame[]> {
  const all = await images.frames(topic);
  const { startTime, file } = images.log;
  const kept = all.filter(({ logTime }) => {
    const seconds = Number(logTime - startTime) / 1e9;
    return seconds >= (from ?? 0) && seconds < (to ?? Number.POSITIVE_INFINITY);
  });
  if (kept.length > 0) return kept;
  if (all.length === 0)
    throw new UserError(`${file}: ${topic} has no messages`, { hint: "choose another topic or log" });
  const last = Number(all.at(-1)!.logTime - startTime) / 1e9;
  throw new UserError(`${file}: ${topic} has no image between ${from ?? 0} and ${to ?? "the end"} seconds`, {
    hint: `its ${all.length} images lie between ${Number(all[0]!.logTime - startTime) / 1e9} and ${last} seconds after the start of the log`,
  });
}
