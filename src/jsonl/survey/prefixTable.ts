import { markerKind, type PromptBlock, promptPath, toPrefixId } from './promptBlock';
import type { PromptReader } from './promptReader';

/** Start of one or more prompts, with its counts. */
export class PrefixNode {
  requests = 0;
  /** Number of these that are marked at its end. */
  marked = 0;
  readonly id: string;
  readonly low: number;
  readonly likely: number;
  readonly high: number;
  readonly section: number;
  readonly first: number;
  readonly second: number;

  constructor(
    block: PromptBlock,
    private readonly isWhole: boolean,
    readonly firstLine: number,
    readonly model: number,
    /** The node that this one extends. */
    public parent: PrefixNode | undefined,
  ) {
    this.id = toPrefixId(block.prefixA, block.prefixB);
    this.low = block.low;
    this.likely = block.likely;
    this.high = block.high;
    this.section = block.section;
    this.first = block.first;
    this.second = block.second;
  }

  /** JSON path of its last block. */
  get path(): readonly (string | number)[] {
    return promptPath(this, this.isWhole);
  }
}

/**
 * Counts the starts of prompts in a tree of blocks. The key of a node is a 53-bit hash of all blocks up to it. Holds at most `most` nodes. A
 * full table drops nodes seen once, then those seen twice, and so on (doubling) until a quarter is free. A dropped node that occurs again is
 * counted from 1, and `isExact` is false.
 */
export class PrefixTable {
  isExact = true;
  private readonly byKey = new Map<number, PrefixNode>();
  private letGo = 1;

  constructor(
    private readonly minTokens: number,
    private readonly most = 1 << 18,
  ) {}

  get size(): number {
    return this.byKey.size;
  }

  /** Nodes in order of discovery. */
  get nodes(): readonly PrefixNode[] {
    return [...this.byKey.values()];
  }

  /** Counts the starts of the prompt that the reader read last, if they are long enough and can be marked. */
  add(reader: PromptReader, line: number, model: number): void {
    let parent: PrefixNode | undefined;
    for (const [index, block] of reader.blocks.slice(0, reader.blockCount).entries()) {
      if (!block.cacheable || block.likely < this.minTokens) {
        continue;
      }
      const key = (block.prefixA >>> 0) * 0x200000 + (block.prefixB >>> 11);
      let node = this.byKey.get(key);
      if (node === undefined) {
        if (this.size >= this.most) {
          this.prune();
          parent = undefined;
        }
        node = new PrefixNode(block, reader.isWhole, line, model, parent);
        this.byKey.set(key, node);
      }
      node.requests++;
      if (block.marker !== markerKind.none || (reader.topMarker !== markerKind.none && index === reader.lastCacheable)) {
        node.marked++;
      }
      parent = node;
    }
  }

  private prune(): void {
    this.isExact = false;
    while (this.size > this.most * 0.75) {
      for (const [key, node] of this.byKey) {
        if (node.requests <= this.letGo) {
          this.byKey.delete(key);
        } else if (node.parent !== undefined && node.parent.requests <= this.letGo) {
          node.parent = undefined;
        }
      }
      if (this.size > this.most * 0.75) {
        this.letGo *= 2;
      }
    }
  }
}
