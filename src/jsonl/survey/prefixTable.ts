import { markerKind, PromptBlock, toPrefixId } from './promptBlock';
import type { PromptReader } from './promptReader';

/** Start of one or more prompts, with its counts. */
export interface PrefixNode {
  readonly id: string;
  readonly requests: number;
  readonly marked: number;
  readonly firstLine: number;
  readonly model: number;
  readonly path: readonly (string | number)[];
  readonly low: number;
  readonly likely: number;
  readonly high: number;
}

/**
 * Counts the starts of prompts in a tree of blocks. The key of a node is a 64-bit hash of all blocks up to it. Holds at most `most` nodes
 * (60 bytes each). A full table drops nodes seen once, then those seen twice, and so on (doubling) until a quarter is free. A dropped node
 * that occurs again is counted from 1, and `isExact` is false.
 */
export class PrefixTable {
  /** Number of nodes. They are numbered from 0 in order of discovery. */
  size = 0;
  isExact = true;
  private capacity = 0;
  private slots = new Int32Array(0);
  private keys = new Int32Array(0);
  /** Per node: number of requests, number of marked ones, parent, line, model. */
  private words = new Int32Array(0);
  private tokens = new Float32Array(0);
  private paths: Int32Array = new Int32Array(0);
  private letGo = 1;

  constructor(
    private readonly leastTokens: number,
    private readonly most = 1 << 18,
  ) {
    this.resize(1 << 10);
  }

  /** Counts the starts of the prompt that the reader read last, if they are long enough and can be marked. */
  add(reader: PromptReader, line: number, model: number): void {
    let parent = -1;
    for (let index = 0; index < reader.blockCount; index++) {
      const block = reader.blocks[index];
      if (block === undefined || !block.cacheable || block.likely < this.leastTokens) {
        continue;
      }
      let node = this.find(block.prefixA, block.prefixB);
      if (node < 0) {
        if (this.size >= this.most) {
          this.prune();
          parent = -1;
        }
        node = this.insert(block.prefixA, block.prefixB);
        const at = node * nodeWords;
        this.words[at + word.parent] = parent;
        this.words[at + word.line] = line;
        this.words[at + word.model] = model;
        this.paths[node * 2] = (block.first << 3) | (block.section << 1) | (reader.isWhole ? 1 : 0);
        this.paths[node * 2 + 1] = block.second;
        this.tokens[node * 3] = block.low;
        this.tokens[node * 3 + 1] = block.likely;
        this.tokens[node * 3 + 2] = block.high;
      }
      const at = node * nodeWords;
      this.words[at + word.requests] = (this.words[at + word.requests] as number) + 1;
      if (block.marker !== markerKind.none || (reader.topMarker !== markerKind.none && index === reader.lastCacheable)) {
        this.words[at + word.marked] = (this.words[at + word.marked] as number) + 1;
      }
      parent = node;
    }
  }

  requests(node: number): number {
    return this.words[node * nodeWords + word.requests] as number;
  }

  /** Returns the node that this one extends, or -1. */
  parent(node: number): number {
    return this.words[node * nodeWords + word.parent] as number;
  }

  firstLine(node: number): number {
    return this.words[node * nodeWords + word.line] as number;
  }

  likely(node: number): number {
    return this.tokens[node * 3 + 1] as number;
  }

  at(node: number): PrefixNode {
    const at = node * nodeWords;
    return {
      id: toPrefixId(this.keys[node * 2] as number, this.keys[node * 2 + 1] as number),
      requests: this.requests(node),
      marked: this.words[at + word.marked] as number,
      firstLine: this.firstLine(node),
      model: this.words[at + word.model] as number,
      path: toPath(this.paths[node * 2] as number, this.paths[node * 2 + 1] as number),
      low: this.tokens[node * 3] as number,
      likely: this.likely(node),
      high: this.tokens[node * 3 + 2] as number,
    };
  }

  private find(a: number, b: number): number {
    const mask = this.slots.length - 1;
    for (let slot = (a ^ (b >>> 7)) & mask; ; slot = (slot + 1) & mask) {
      const node = (this.slots[slot] as number) - 1;
      if (node < 0 || (this.keys[node * 2] === a && this.keys[node * 2 + 1] === b)) {
        return node;
      }
    }
  }

  private insert(a: number, b: number): number {
    if (this.size === this.capacity) {
      this.resize(this.capacity * 2);
    }
    const node = this.size++;
    this.keys[node * 2] = a;
    this.keys[node * 2 + 1] = b;
    this.words.fill(0, node * nodeWords, (node + 1) * nodeWords);
    this.index(node);
    return node;
  }

  private index(node: number): void {
    const mask = this.slots.length - 1;
    let slot = ((this.keys[node * 2] as number) ^ ((this.keys[node * 2 + 1] as number) >>> 7)) & mask;
    while (this.slots[slot] !== 0) {
      slot = (slot + 1) & mask;
    }
    this.slots[slot] = node + 1;
  }

  private resize(capacity: number): void {
    this.capacity = capacity;
    this.keys = grow(this.keys, new Int32Array(capacity * 2));
    this.words = grow(this.words, new Int32Array(capacity * nodeWords));
    this.tokens = grow(this.tokens, new Float32Array(capacity * 3));
    this.paths = grow(this.paths, new Int32Array(capacity * 2));
    this.reindex();
  }

  private reindex(): void {
    this.slots = new Int32Array(this.capacity * 2);
    for (let node = 0; node < this.size; node++) {
      this.index(node);
    }
  }

  private prune(): void {
    this.isExact = false;
    while (this.size > this.most * 0.75) {
      const moved = new Int32Array(this.size).fill(-1);
      let kept = 0;
      for (let node = 0; node < this.size; node++) {
        if (this.requests(node) > this.letGo) {
          const parent = this.parent(node);
          this.words[node * nodeWords + word.parent] = parent < 0 ? -1 : (moved[parent] as number);
          this.keys.copyWithin(kept * 2, node * 2, node * 2 + 2);
          this.words.copyWithin(kept * nodeWords, node * nodeWords, (node + 1) * nodeWords);
          this.tokens.copyWithin(kept * 3, node * 3, node * 3 + 3);
          this.paths.copyWithin(kept * 2, node * 2, node * 2 + 2);
          moved[node] = kept++;
        }
      }
      this.size = kept;
      if (kept > this.most * 0.75) {
        this.letGo *= 2;
      }
    }
    this.reindex();
  }
}

const word = { requests: 0, marked: 1, parent: 2, line: 3, model: 4 } as const;
const nodeWords = 5;

function toPath(place: number, second: number): (string | number)[] {
  const block = new PromptBlock();
  block.section = (place >> 1) & 3;
  block.first = place >> 3;
  block.second = second;
  return block.path((place & 1) === 1);
}

function grow<T extends Int32Array | Float32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
