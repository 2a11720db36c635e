import { markerKind, type PromptBlock } from './promptBlock';
import type { PromptReader } from './promptReader';

interface PrefixNode extends Readonly<Pick<PromptBlock, 'section' | 'first' | 'second' | 'low' | 'likely' | 'high'>> {
  readonly id: string;
  /** True if the request has `params`. */
  readonly isWhole: boolean;
  readonly firstLine: number;
  readonly model: string;
  requests: number;
  /** Number of these requests with a marker at the end of the prefix. */
  marked: number;
  parent: PrefixNode | undefined;
}

/**
 * Counts the starts of prompts in a tree of blocks. The key of a node is a 53-bit hash of all blocks up to it. Holds at most `most` nodes.
 * A full table drops nodes that occurred once, then those that occurred twice, and so on (doubling) until a quarter is free. If a dropped
 * node occurs again, its count starts at 1, and `isExact` is false.
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

  get nodes(): readonly PrefixNode[] {
    return [...this.byKey.values()];
  }

  /** Counts the prefixes of a prompt that are long enough and can have a cache marker. */
  add(reader: PromptReader, line: number, model: string): void {
    let parent: PrefixNode | undefined;
    for (const [index, block] of reader.blocks.entries()) {
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
        const { section, first, second, low, likely, high, prefixId: id } = block;
        const { isWhole } = reader;
        node = { id, section, first, second, isWhole, low, likely, high, firstLine: line, model, requests: 0, marked: 0, parent };
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

/** Node of a `PrefixTable` that is worth marking, with the closest chosen node above it. */
interface ChosenPrefix {
  readonly node: PrefixNode;
  readonly parent: PrefixNode | undefined;
}

/** Minimum growth of a prefix over the chosen prefix that it extends, as a share of the tokens of the chosen prefix. */
const minGrowth = 0.1;
/** Minimum ratio of the requests of a prefix to the requests of the chosen prefixes that extend it. */
const minSpread = 1.5;

/**
 * Returns the prefixes that save the most when cached, best first, at most `most`. Of prefixes with the same requests, only the longest is
 * a candidate. A shorter prefix is also chosen if clearly more requests share it. A longer prefix is also chosen if it has clearly more
 * tokens. The saving of a prefix excludes the tokens of the chosen prefix that it extends. All requests but the first read the prefix from
 * the cache.
 */
export function choosePrefixes(table: PrefixTable, most: number): ChosenPrefix[] {
  const chosen = new Set<PrefixNode>();
  /** Number of requests under chosen nodes, for each ancestor of a chosen node. */
  const covered = new Map<PrefixNode, number>();
  for (const node of candidates(table)) {
    if (chosen.size === most) {
      break;
    }
    const above = parentIn(chosen, node);
    const grows = above === undefined || node.likely - above.likely >= minGrowth * above.likely;
    const before = covered.get(node) ?? 0;
    if (grows && node.requests >= minSpread * before) {
      chosen.add(node);
      for (let ancestor = node.parent; ancestor !== undefined; ancestor = ancestor.parent) {
        covered.set(ancestor, (covered.get(ancestor) ?? 0) + node.requests - before);
      }
    }
  }
  return [...chosen]
    .map(node => ({ node, parent: parentIn(chosen, node) }))
    .sort((a, b) => savedBy(b) - savedBy(a) || a.node.firstLine - b.node.firstLine);
}

function candidates({ nodes }: PrefixTable): readonly PrefixNode[] {
  const outgrown = new Set(nodes.map(({ parent, requests }) => (parent?.requests === requests ? parent : undefined)));
  const saved = ({ requests, likely }: PrefixNode) => (requests - 1) * likely;
  return nodes
    .filter(node => node.requests > 1 && !outgrown.has(node))
    .sort((a, b) => saved(b) - saved(a) || a.firstLine - b.firstLine || b.likely - a.likely);
}

function parentIn(chosen: ReadonlySet<PrefixNode>, node: PrefixNode): PrefixNode | undefined {
  let above = node.parent;
  while (above !== undefined && !chosen.has(above)) {
    above = above.parent;
  }
  return above;
}

function savedBy({ node, parent }: ChosenPrefix): number {
  return (node.requests - 1) * (node.likely - (parent?.likely ?? 0));
}
