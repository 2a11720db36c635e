/**
 * Distinct byte strings, numbered from 0 in insertion order. Holds 100,000 ids in a few megabytes, where a `Map` of strings would need
 * tens. Compares bytes exactly.
 */
export class TextTable {
  private bytes = new Uint8Array(1 << 16);
  private ends = new Int32Array(1 << 12);
  /** Number of a text plus 1, indexed by hash. 0 is a free slot. */
  private slots = new Int32Array(1 << 13);
  size = 0;

  /**
   * Returns the number of the text in [start, end) of `source`, after adding it if it is new. A new text gets the previous `size` as its
   * number.
   */
  intern(source: Uint8Array, start: number, end: number): number {
    if (this.size * 2 >= this.slots.length) {
      this.grow();
    }
    const mask = this.slots.length - 1;
    let index = hash(source, start, end) & mask;
    while (true) {
      const slot = this.slots[index] ?? 0;
      if (slot === 0) {
        this.slots[index] = this.size + 1;
        return this.append(source, start, end);
      }
      if (this.isSame(slot - 1, source, start, end)) {
        return slot - 1;
      }
      index = (index + 1) & mask;
    }
  }

  /** Returns the bytes of a text as a view, which the next `intern` can make outdated. */
  at(index: number): Uint8Array {
    return this.bytes.subarray(this.startOf(index), this.ends[index]);
  }

  textAt(index: number): string {
    return Buffer.from(this.at(index)).toString('utf8');
  }

  private startOf(index: number): number {
    return index === 0 ? 0 : (this.ends[index - 1] ?? 0);
  }

  private isSame(index: number, source: Uint8Array, start: number, end: number): boolean {
    const from = this.startOf(index);
    if ((this.ends[index] ?? 0) - from !== end - start) {
      return false;
    }
    for (let offset = 0; offset < end - start; offset++) {
      if (this.bytes[from + offset] !== source[start + offset]) {
        return false;
      }
    }
    return true;
  }

  private append(source: Uint8Array, start: number, end: number): number {
    const from = this.startOf(this.size);
    const to = from + end - start;
    if (to > this.bytes.length) {
      const grown = new Uint8Array(Math.max(to, this.bytes.length * 2));
      grown.set(this.bytes);
      this.bytes = grown;
    }
    if (this.size === this.ends.length) {
      const grown = new Int32Array(this.ends.length * 2);
      grown.set(this.ends);
      this.ends = grown;
    }
    for (let offset = 0; offset < end - start; offset++) {
      this.bytes[from + offset] = source[start + offset] ?? 0;
    }
    this.ends[this.size] = to;
    return this.size++;
  }

  private grow(): void {
    this.slots = new Int32Array(this.slots.length * 2);
    const mask = this.slots.length - 1;
    for (let number = 0; number < this.size; number++) {
      let index = hash(this.bytes, this.startOf(number), this.ends[number] ?? 0) & mask;
      while (this.slots[index] !== 0) {
        index = (index + 1) & mask;
      }
      this.slots[index] = number + 1;
    }
  }
}

/** Computes FNV-1a with one more mixing step, because the tables use the low bits. */
function hash(source: Uint8Array, start: number, end: number): number {
  let value = 0x811c9dc5;
  for (let at = start; at < end; at++) {
    value = Math.imul(value ^ (source[at] ?? 0), 0x01000193);
  }
  return value ^ (value >>> 15);
}
