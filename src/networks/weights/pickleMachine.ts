import type { Refuse } from "./refusal.js";

/** The name of a function or class, e.g. `collections.OrderedDict`. Only ever a name. */
export class Global {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** What a pickle may hold. Lists and tuples are arrays, dictionaries are Maps: no key can reach a prototype. */
export type Pickled = null | boolean | number | bigint | string | object;

const MAX_MARKS = 100;
const MAX_MEMO = 1_000_000;
const LINE_FEED = 0x0a;

/** The stack machine that a pickle is a program for: bytes to read, a stack with marks in it, numbered slots to remember things. */
export class PickleMachine {
  readonly refuse: Refuse;
  readonly #bytes: Uint8Array;
  readonly #memo = new Map<number, Pickled>();
  readonly #below: Pickled[][] = [];
  #stack: Pickled[] = [];
  #at = 0;

  constructor(bytes: Uint8Array, refuse: Refuse) {
    this.#bytes = bytes;
    this.refuse = refuse;
  }

  /** How many bytes have been read. */
  get at(): number {
    return this.#at;
  }

  push(value: Pickled): void {
    this.#stack.push(value);
  }

  pop(): Pickled {
    return present(this.#stack.pop(), () => this.#nothing());
  }

  top(): Pickled {
    return present(this.#stack.at(-1), () => this.#nothing());
  }

  mark(): void {
    if (this.#below.length >= MAX_MARKS) this.refuse(`its pickle is nested more than ${MAX_MARKS} deep`);
    this.#below.push(this.#stack);
    this.#stack = [];
  }

  /** Everything since the last mark. */
  toMark(): Pickled[] {
    const items = this.#stack;
    this.#stack = this.#below.pop() ?? this.#nothing();
    return items;
  }

  /** Remember what is on top, in this slot or the next free one. */
  keep(slot = this.#memo.size): void {
    if (this.#memo.size >= MAX_MEMO) this.refuse(`its pickle remembers more than ${MAX_MEMO} things`);
    this.#memo.set(slot, this.top());
  }

  recall(slot: number): void {
    this.push(present(this.#memo.get(slot), () => this.refuse(`its pickle recalls slot ${slot}, which is empty`)));
  }

  byte(): number {
    return this.view(1).getUint8(0);
  }

  view(length: number): DataView {
    return new DataView(this.#bytes.buffer, this.#bytes.byteOffset + this.#take(length), length);
  }

  text(length: number): string {
    const start = this.#take(length);
    return new TextDecoder().decode(this.#bytes.subarray(start, start + length));
  }

  line(): string {
    const end = this.#bytes.indexOf(LINE_FEED, this.#at);
    if (end < 0) this.refuse("its pickle ends in the middle of a line");
    const text = this.text(end - this.#at);
    this.#take(1);
    return text;
  }

  /** Step over some bytes; returns where they start. */
  #take(length: number): number {
    const start = this.#at;
    if (length > this.#bytes.length - start) this.refuse(`its pickle ends too early, at byte ${this.#bytes.length}`);
    this.#at += length;
    return start;
  }

  #nothing(): never {
    return this.refuse(`its pickle takes something where there is nothing, at byte ${this.#at}`);
  }
}

const present = (value: Pickled | undefined, otherwise: () => never): Pickled =>
  value === undefined ? otherwise() : value;
