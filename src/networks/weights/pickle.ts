import { Global, type Pickled, PickleMachine } from "./pickleMachine.js";
import type { Refuse } from "./refusal.js";

/** What a pickle's names mean. Each may refuse the file. */
export interface PickleRules {
  /** The name of a function or class was read. */
  global(name: string): Global;
  /** A call was asked for. */
  call(callee: Global, args: readonly Pickled[]): Pickled;
  /** Something kept outside the pickle was asked for. */
  persistent(id: Pickled): Pickled;
}

/**
 * Python's pickle format, read as data: nothing in it can be called.
 *
 * A pickle is a program for a small machine. This is the part of the language that `torch.save` writes (protocols 2 to 5). Names of
 * functions and classes stay names; what a call means is decided by `rules`, which know a short list.
 *
 * Why not the npm package pickleparser: with version 0.2.1 a file can send the reader in circles (BINBYTES with a negative length
 * steps backwards), give a list a `length` of four billion (BUILD assigns properties to anything) and change prototypes (DICT
 * and BUILD, even in its Map mode); it also reads negative numbers as positive ones (LONG1).
 */
export function readPickle(bytes: Uint8Array, rules: PickleRules, refuse: Refuse): Pickled {
  const machine = new PickleMachine(bytes, refuse);
  for (let steps = 0; ; steps++) {
    if (steps >= MAX_STEPS) refuse(`its pickle has more than ${MAX_STEPS} operations`, RESAVE);
    const at = machine.at;
    const code = machine.byte();
    if (code === STOP) return machine.pop();
    const opcode = opcodes.get(code);
    if (opcode === undefined) refuse(`its pickle has opcode ${code} at byte ${at}, which no state_dict needs`, RESAVE);
    else opcode(machine, rules);
  }
}

/** A state_dict of ten thousand tensors has a third of it. */
const MAX_STEPS = 1_000_000;

/** How to make a file that holds weights and nothing else. */
export const RESAVE = "in Python, save the weights alone: torch.save(model.state_dict(), path)";

type Machine = PickleMachine;

const uint32 = (m: Machine): number => m.view(4).getUint32(0, true);

/** Little-endian two's complement, at most 255 bytes long. */
function long(m: Machine): number | bigint {
  const length = m.byte();
  const view = m.view(length);
  let value = 0n;
  for (let i = length - 1; i >= 0; i--) value = (value << 8n) | BigInt(view.getUint8(i));
  const signed = BigInt.asIntN(8 * length, value);
  return Number.isSafeInteger(Number(signed)) ? Number(signed) : signed;
}

/** The last few things, in the order they were pushed. */
const last = (m: Machine, count: number): Pickled[] => Array.from({ length: count }, () => m.pop()).reverse();

function list(m: Machine): Pickled[] {
  const top = m.top();
  return Array.isArray(top) ? top : m.refuse("its pickle appends to something that is not a list");
}

function dictionary(m: Machine): Map<Pickled, Pickled> {
  const top = m.top();
  return top instanceof Map ? top : m.refuse("its pickle sets a key of something that is not a dictionary", RESAVE);
}

function append(m: Machine, items: readonly Pickled[]): void {
  const to = list(m);
  for (const item of items) to.push(item);
}

function setItems(m: Machine, items: readonly Pickled[]): void {
  const to = dictionary(m);
  if (items.length % 2 !== 0) m.refuse("its pickle sets a key to nothing");
  for (let i = 0; i < items.length; i += 2) to.set(items[i]!, items[i + 1]!);
}

function name(m: Machine, { global }: PickleRules, [module, member]: readonly Pickled[]): void {
  const text = typeof module === "string" && typeof member === "string";
  m.push(text ? global(`${module}.${member}`) : m.refuse("its pickle has a name that is no text"));
}

function call(m: Machine, rules: PickleRules): void {
  const [callee, args] = last(m, 2);
  const named = callee instanceof Global && Array.isArray(args);
  m.push(named ? rules.call(callee, args) : m.refuse("its pickle calls something without a name"));
}

/** Extra attributes: state dictionaries carry version numbers in them. Nothing we read needs any. */
function build(m: Machine): void {
  m.pop();
  dictionary(m);
}

const STOP = 46;

/** By code; named as in Python's pickletools. */
const opcodes: ReadonlyMap<number, (m: Machine, rules: PickleRules) => void> = new Map([
  [128, (m) => void m.byte()], // PROTO
  [149, (m) => void m.view(8)], // FRAME
  [40, (m) => m.mark()], // MARK
  [48, (m) => void m.pop()], // POP
  [78, (m) => m.push(null)], // NONE
  [136, (m) => m.push(true)], // NEWTRUE
  [137, (m) => m.push(false)], // NEWFALSE
  [74, (m) => m.push(m.view(4).getInt32(0, true))], // BININT
  [75, (m) => m.push(m.byte())], // BININT1
  [77, (m) => m.push(m.view(2).getUint16(0, true))], // BININT2
  [138, (m) => m.push(long(m))], // LONG1
  [71, (m) => m.push(m.view(8).getFloat64(0))], // BINFLOAT
  [88, (m) => m.push(m.text(uint32(m)))], // BINUNICODE
  [140, (m) => m.push(m.text(m.byte()))], // SHORT_BINUNICODE
  [41, (m) => m.push([])], // EMPTY_TUPLE
  [116, (m) => m.push(m.toMark())], // TUPLE
  [133, (m) => m.push(last(m, 1))], // TUPLE1
  [134, (m) => m.push(last(m, 2))], // TUPLE2
  [135, (m) => m.push(last(m, 3))], // TUPLE3
  [93, (m) => m.push([])], // EMPTY_LIST
  [97, (m) => append(m, last(m, 1))], // APPEND
  [101, (m) => append(m, m.toMark())], // APPENDS
  [125, (m) => m.push(new Map())], // EMPTY_DICT
  [115, (m) => setItems(m, last(m, 2))], // SETITEM
  [117, (m) => setItems(m, m.toMark())], // SETITEMS
  [113, (m) => m.keep(m.byte())], // BINPUT
  [114, (m) => m.keep(uint32(m))], // LONG_BINPUT
  [148, (m) => m.keep()], // MEMOIZE
  [104, (m) => m.recall(m.byte())], // BINGET
  [106, (m) => m.recall(uint32(m))], // LONG_BINGET
  [99, (m, rules) => name(m, rules, [m.line(), m.line()])], // GLOBAL
  [147, (m, rules) => name(m, rules, last(m, 2))], // STACK_GLOBAL
  [82, call], // REDUCE
  [81, (m, rules) => m.push(rules.persistent(m.pop()))], // BINPERSID
  [98, build], // BUILD
]);
