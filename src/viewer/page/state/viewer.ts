/// <reference lib="dom" />
import { batch, computed, type Signal, signal } from "@preact/signals";
import { isOutOfDomain } from "../../../deployment/model/outOfDomain.js";
import { UserError } from "../../../platform/errors.js";
import type { SiteManifest, SiteModel } from "../../manifest.js";
import type { HeatScale, View } from "../draw/compositor.js";
import { Backend } from "../engine/backend.js";
import type { Preference } from "../engine/computing.js";
import type { Maps, Progress } from "../engine/protocol.js";
import { closeFilm, decode, exampleItem, type Item, openFilm } from "./inputs.js";
import { measure, scoreAt } from "./measures.js";

/** One of at most two models side by side. */
export interface Slot {
  readonly model: SiteModel;
  readonly progress: Signal<Progress | null>;
  readonly gamma: Signal<number | null>;
  readonly maps: Signal<Maps | null>;
  /** Set once it was asked for; not where that failed. */
  opening: Promise<void> | null;
}

/** What is known of an item once a model has seen it. */
export interface Summary {
  readonly certain: number;
  readonly outOfDomain: boolean;
}

export interface Trouble {
  readonly message: string;
  readonly hint: string | undefined;
}

/** Longer sides are scaled down for drawing; the model sees the image itself. */
const MOST_DRAWN = 4096;

/** All that the page shows, and what the visitor can do to it. */
export class Viewer {
  readonly manifest: SiteManifest;
  readonly backend: Backend;
  readonly slots: Signal<readonly Slot[]>;
  readonly items: Signal<readonly Item[]>;
  readonly current = signal<Item | null>(null);
  /** What is drawn: the image of the maps, not yet the next one. */
  readonly image = signal<ImageBitmap | null>(null);
  readonly busy = signal(false);
  readonly trouble = signal<Trouble | null>(null);
  readonly playing = signal(false);
  readonly left = signal<View>("image");
  readonly right = signal<View>("certain");
  readonly wipe = signal(0.5);
  readonly opacity = signal(0.7);
  readonly heat = signal<HeatScale>("cividis");
  readonly hidden = signal<ReadonlySet<number>>(new Set());
  /** Of the first model, by item. */
  readonly summaries = signal<ReadonlyMap<number, Summary>>(new Map());
  readonly first = computed(() => this.slots.value[0]!);
  #film: HTMLVideoElement | null = null;
  #leftOut: string[] = [];
  /** Counts what was asked for: an answer to an older question is dropped. */
  #asked = 0;

  constructor(manifest: SiteManifest, preference: Preference) {
    this.manifest = manifest;
    this.backend = new Backend(preference, manifest.runtimes);
    this.items = signal(manifest.examples.map(exampleItem));
    this.slots = signal([]);
  }

  /** Show the first example with the first model; what was shown before, when the visitor comes back. */
  async start(): Promise<void> {
    if (this.slots.value.length > 0) {
      if (this.current.value !== null && this.image.value === null) await this.select(this.current.value);
      return;
    }
    const [item] = this.items.value;
    this.slots.value = [newSlot(this.manifest.models[0]!)];
    if (item !== undefined) await this.select(item);
    else await this.#guarded(() => this.#opened(this.first.value));
  }

  /** Show these models side by side. */
  async use(models: readonly SiteModel[]): Promise<void> {
    const kept = new Map(this.slots.value.map((slot) => [slot.model.sha256, slot]));
    const slots = models.map((model) => kept.get(model.sha256) ?? newSlot(model));
    if (slots[0] !== this.slots.value[0]) this.summaries.value = new Map();
    this.slots.value = slots;
    if (this.current.value !== null) await this.select(this.current.value);
  }

  /** Show an item: an image once, films and the webcam until something else is chosen. */
  async select(item: Item): Promise<void> {
    const asked = ++this.#asked;
    batch(() => {
      this.current.value = item;
      this.trouble.value = null;
      this.busy.value = true;
    });
    this.#closeFilm();
    const shown = await this.#guarded(async () => {
      if (item.kind === "image") {
        await this.#look(await decode(item), asked);
        return;
      }
      const film = await openFilm(item);
      if (asked !== this.#asked) closeFilm(film);
      else this.#film = film;
      this.playing.value = true;
      while (asked === this.#asked) {
        if (film.videoWidth > 0 && this.playing.value) await this.#look(await createImageBitmap(film), asked);
        await new Promise((done) => requestAnimationFrame(done));
      }
    });
    if (asked !== this.#asked) return;
    this.busy.value = false;
    if (shown) void this.#lookAhead(asked);
    else this.image.value = null;
  }

  add(items: readonly Item[]): void {
    const [first] = items;
    if (first === undefined) return;
    this.items.value = [...items, ...this.items.value];
    void this.select(first);
  }

  /** Take an item out of the list again that turned out to be no image. */
  remove(item: Item): void {
    this.items.value = this.items.value.filter((one) => one !== item);
    this.leaveOut([item.name]);
  }

  /** Name files that cannot be shown, until the visitor has read it. */
  leaveOut(names: readonly string[]): void {
    const { notice } = this.backend;
    if (notice.value === null) this.#leftOut = [];
    this.#leftOut.push(...names);
    const [first, ...others] = this.#leftOut;
    if (first === undefined) return;
    const more = others.length > 0 ? ` and ${others.length} more` : "";
    notice.value = `Left out: ${first}${more}. This browser finds no image there.`;
  }

  /** Play or pause a film. */
  toggle(): void {
    this.playing.value = !this.playing.value;
    if (this.playing.value) void this.#film?.play();
    else this.#film?.pause();
  }

  /** Look at nothing further while the visitor is elsewhere: films and the webcam stop. */
  rest(): void {
    this.#asked++;
    this.#closeFilm();
    this.busy.value = false;
    if (this.current.value?.kind !== "image") this.current.value = null;
  }

  /** γ of a slot: that of the slider, of the model, or for a baseline one that keeps three quarters of the image. */
  gammaOf({ gamma, model, maps }: Slot): number {
    return gamma.value ?? model.gamma ?? (maps.value === null ? 0 : scoreAt(maps.value, 0.75));
  }

  /** Run all models on an image, and show it with what they say. */
  async #look(image: ImageBitmap, asked: number): Promise<void> {
    const slots = this.slots.value;
    const answers: Maps[] = [];
    for (const slot of slots) {
      await this.#opened(slot);
      answers.push(await this.backend.segment(slot.model, image));
    }
    if (asked !== this.#asked || slots !== this.slots.value) {
      image.close();
      return;
    }
    const drawn = await drawable(image);
    batch(() => {
      for (const [k, slot] of slots.entries()) slot.maps.value = answers[k]!;
      this.#summarise(this.current.value!, slots[0]!, answers[0]!);
      const before = this.image.value;
      this.image.value = drawn;
      if (before !== null) setTimeout(() => before.close());
    });
    for (const [k, { model }] of slots.entries()) this.backend.consider(model, image, answers[k]!);
    if (image !== drawn) image.close();
  }

  /** Load a model once; a download that failed is tried again with the next image. */
  #opened(slot: Slot): Promise<void> {
    const { model, progress } = slot;
    slot.opening ??= this.backend
      .open(model, (bytes) => {
        progress.value = bytes;
      })
      .then(
        () => {
          progress.value = null;
        },
        (error: unknown) => {
          slot.opening = null;
          throw error;
        },
      );
    return slot.opening;
  }

  /** Summaries of the images that were not looked at yet, while nothing else is to be done. */
  async #lookAhead(asked: number): Promise<void> {
    const slot = this.first.value;
    for (const item of this.items.value) {
      if (item.kind !== "image" || this.summaries.value.has(item.id)) continue;
      const image = await decode(item).catch(() => null);
      if (image === null) continue;
      const maps = await this.backend.segment(slot.model, image).catch(() => null);
      image.close();
      if (asked !== this.#asked || slot !== this.first.value) return;
      if (maps !== null) this.#summarise(item, slot, maps);
    }
  }

  #summarise(item: Item, { model }: Slot, maps: Maps): void {
    const { gamma, classes } = model;
    if (gamma === null) return;
    const { certain } = measure(maps, gamma, classes.length);
    const summary = { certain, outOfDomain: maps.distance !== null && isOutOfDomain(maps.distance) };
    this.summaries.value = new Map(this.summaries.value).set(item.id, summary);
  }

  /** What goes wrong is shown in place of the image; the page goes on. */
  async #guarded(work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      const hint = error instanceof UserError ? error.hint : undefined;
      this.trouble.value = { message: (error as Error).message, hint };
      return false;
    }
  }

  #closeFilm(): void {
    if (this.#film !== null) closeFilm(this.#film);
    this.#film = null;
    this.playing.value = false;
  }
}

const newSlot = (model: SiteModel): Slot => ({
  model,
  progress: signal({ received: 0, total: model.bytes }),
  gamma: signal(null),
  maps: signal(null),
  opening: null,
});

async function drawable(image: ImageBitmap): Promise<ImageBitmap> {
  const ratio = MOST_DRAWN / Math.max(image.width, image.height);
  if (ratio >= 1) return image;
  const [resizeWidth, resizeHeight] = [Math.round(image.width * ratio), Math.round(image.height * ratio)];
  return createImageBitmap(image, { resizeWidth, resizeHeight, resizeQuality: "medium" });
}
