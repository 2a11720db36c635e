import { grown } from './typedArrays';

/** Content of an `IdTable` as arrays that can be written to a file and used again without rebuilding. */
interface IdTableParts {
  readonly seed: number;
  /** Concatenated UTF-8 bytes of the ids. */
  readonly bytes: Uint8Array;
  /** End offset of each id in `bytes`. */
  readonly ends: Uint32Array;
  /** Slots of the hash table (open addressing), a power of two: the number of an id plus 1, or 0 if empty. */
  readonly slots: Int32Array;
}

/** Set of ids or other byte sequences, numbered in insertion order. 100,000 take a few megabytes, stored as bytes. */
export class IdTable {
  private bytes: Uint8Array;
  private ends: Uint32Array;
  private slots: Int32Array;
  private count: number;
  private readonly seed: number;

  /** Continues with the first `count` ids of `parts`. A random seed keeps crafted ids from all sharing one slot. */
  constructor(parts?: IdTableParts, count = parts?.ends.length ?? 0) {
    this.seed = parts?.seed ?? randomSeed();
    this.bytes = parts?.bytes ?? new Uint8Array(1024);
    this.ends = parts?.ends ?? new Uint32Array(64);
    this.slots = parts?.slots ?? new Int32Array(128);
    this.count = count;
  }

  /** Returns an empty table with room for about `count` ids of `bytes` bytes in total. */
  static sized(count: number, bytes: number): IdTable {
    const slots = 2 ** Math.ceil(Math.log2(Math.max(64, count) * 2));
    return new IdTable(
      {
        seed: randomSeed(),
        bytes: new Uint8Array(Math.max(64, bytes)),
        ends: new Uint32Array(Math.max(64, count)),
        slots: new Int32Array(slots),
      },
      0,
    );
  }

  get size(): number {
    return this.count;
  }

  /** Returns the number of the id in [start, end) of `bytes`, or -1. */
  find(bytes: Uint8Array, start: number, end: number): number {
    return (this.slots[this.slotOf(bytes, start, end)] as number) - 1;
  }

  /** Returns the number of the id in [start, end) of `bytes`. Adds a new id with the previous `size` as its number. */
  add(bytes: Uint8Array, start: number, end: number): number {
    let slot = this.slotOf(bytes, start, end);
    const found = this.slots[slot] as number;
    if (found > 0) {
      return found - 1;
    }
    if ((this.count + 1) * 2 > this.slots.length) {
      this.growSlots();
      slot = this.slotOf(bytes, start, end);
    }
    const at = this.startOf(this.count);
    const length = end - start;
    if (at + length > this.bytes.length) {
      this.bytes = grown(this.bytes.subarray(0, at), new Uint8Array(Math.max(this.bytes.length * 2, at + length)));
    }
    if (this.count === this.ends.length) {
      this.ends = grown(this.ends, new Uint32Array(this.count * 2));
    }
    for (let index = 0; index < length; index++) {
      this.bytes[at + index] = bytes[start + index] as number;
    }
    this.ends[this.count] = at + length;
    this.slots[slot] = this.count + 1;
    return this.count++;
  }

  findText(id: string): number {
    const bytes = Buffer.from(id);
    return this.find(bytes, 0, bytes.length);
  }

  /** Returns this table's number for an id of another table, or -1. */
  findFrom(other: IdTable, number: number): number {
    return this.find(other.bytes, other.startOf(number), other.endOf(number));
  }

  addFrom(other: IdTable, number: number): number {
    return this.add(other.bytes, other.startOf(number), other.endOf(number));
  }

  /** Adds all ids of another table. Returns their numbers in this table. */
  addAll(other: IdTable): Uint32Array {
    return new Uint32Array(other.size).map((_, number) => this.addFrom(other, number));
  }

  addText(id: string): number {
    const bytes = Buffer.from(id);
    return this.add(bytes, 0, bytes.length);
  }

  /** Returns whether the id with this number equals [start, end) of `bytes`. */
  matches(number: number, bytes: Uint8Array, start: number, end: number): boolean {
    let at = this.startOf(number);
    if (this.endOf(number) - at !== end - start) {
      return false;
    }
    while (start < end) {
      if (this.bytes[at++] !== bytes[start++]) {
        return false;
      }
    }
    return true;
  }

  texts(): readonly string[] {
    return Array.from({ length: this.count }, (_, number) => this.text(number));
  }

  text(number: number): string {
    const start = this.startOf(number);
    return Buffer.from(this.bytes.buffer, this.bytes.byteOffset + start, this.endOf(number) - start).toString('utf8');
  }

  /** Bytes of all ids. The id with number `n` is [startOf(n), endOf(n)). Valid until the next `add`. */
  get allBytes(): Uint8Array {
    return this.bytes;
  }

  startOf(number: number): number {
    return number === 0 ? 0 : (this.ends[number - 1] as number);
  }

  endOf(number: number): number {
    return this.ends[number] as number;
  }

  /** Returns views of the used parts of the arrays. */
  parts(): IdTableParts {
    return {
      seed: this.seed,
      bytes: this.bytes.subarray(0, this.startOf(this.count)),
      ends: this.ends.subarray(0, this.count),
      slots: this.slots,
    };
  }

  private slotOf(bytes: Uint8Array, start: number, end: number): number {
    const mask = this.slots.length - 1;
    let slot = this.hash(bytes, start, end) & mask;
    for (;;) {
      const found = this.slots[slot] as number;
      if (found === 0) {
        return slot;
      }
      if (this.matches(found - 1, bytes, start, end)) {
        return slot;
      }
      slot = (slot + 1) & mask;
    }
  }

  private hash(bytes: Uint8Array, start: number, end: number): number {
    let hash = this.seed | 0;
    for (let at = start; at < end; at++) {
      hash = Math.imul(hash ^ (bytes[at] as number), 0x01000193);
    }
    hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
    return hash ^ (hash >>> 13);
  }

  private growSlots(): void {
    const slots = new Int32Array(this.slots.length * 2);
    const mask = slots.length - 1;
    for (let number = 0; number < this.count; number++) {
      let slot = this.hash(this.bytes, this.startOf(number), this.endOf(number)) & mask;
      while (slots[slot] !== 0) {
        slot = (slot + 1) & mask;
      }
      slots[slot] = number + 1;
    }
    this.slots = slots;
  }
}

function randomSeed(): number {
  return Math.floor(Math.random() * 0x1_0000_0000);
}
