import type { PrefixNode, PrefixTable } from './prefixTable';

/** Node of a `PrefixTable` that is worth marking. */
export interface ChosenPrefix {
  readonly node: PrefixNode;
  /** Longest chosen node that this one extends. */
  readonly parent: PrefixNode | undefined;
}

/** Minimum growth of a prefix over a shorter chosen one, relative to the shorter one's tokens. */
const minGrowth = 0.1;
/** Minimum number of requests of a prefix, relative to those of longer chosen ones. */
const minSpread = 1.5;

/**
 * Returns the prefixes that save the most when cached: best first, at most `most`. Of prefixes with the same requests only the longest is a
 * candidate. A shorter one is also chosen if clearly more requests share it, and a longer one if it is clearly longer. The saving of a
 * prefix excludes that of the chosen prefix it extends; all requests but the first read it from the cache.
 */
export function choosePrefixes(table: PrefixTable, most: number): ChosenPrefix[] {
  const chosen = new Set<PrefixNode>();
  /** Number of requests under chosen nodes, for each ancestor. */
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
      for (let over = node.parent; over !== undefined; over = over.parent) {
        covered.set(over, (covered.get(over) ?? 0) + node.requests - before);
      }
    }
  }
  return [...chosen]
    .map(node => ({ node, parent: parentIn(chosen, node) }))
    .sort((a, b) => savedBy(b) - savedBy(a) || a.node.firstLine - b.node.firstLine);
}

/** Returns the nodes of at least two requests, best first, without those that a longer node with the same requests replaces. */
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
