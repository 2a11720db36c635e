import type { PrefixTable } from './prefixTable';

/** Node of a `PrefixTable` that is worth marking. */
export interface ChosenPrefix {
  readonly node: number;
  /** Longest chosen node that this one extends, or -1. */
  readonly parent: number;
}

/** Minimum growth of a prefix over a shorter chosen one, relative to the shorter one's tokens. */
const leastGrowth = 0.1;
/** Minimum number of requests of a prefix, relative to those of longer chosen ones. */
const leastSpread = 1.5;

/**
 * Returns the prefixes that save the most when cached: best first, at most `most`. Of prefixes with the same requests only the longest is a
 * candidate. A shorter one is also chosen if clearly more requests share it, and a longer one if it is clearly longer. The saving of a
 * prefix excludes that of the chosen prefix it extends; all requests but the first read it from the cache.
 */
export function choosePrefixes(table: PrefixTable, most: number): ChosenPrefix[] {
  const chosen = new Set<number>();
  /** Number of requests under chosen nodes, for each ancestor. */
  const covered = new Map<number, number>();
  for (const node of candidates(table)) {
    if (chosen.size === most) {
      break;
    }
    const above = parentIn(table, chosen, node);
    const grows = above < 0 || table.likely(node) - table.likely(above) >= leastGrowth * table.likely(above);
    if (grows && table.requests(node) >= leastSpread * (covered.get(node) ?? 0)) {
      chosen.add(node);
      const more = table.requests(node) - (covered.get(node) ?? 0);
      for (let over = table.parent(node); over >= 0; over = table.parent(over)) {
        covered.set(over, (covered.get(over) ?? 0) + more);
      }
    }
  }
  return [...chosen]
    .map(node => ({ node, parent: parentIn(table, chosen, node) }))
    .sort((a, b) => savedBy(table, b) - savedBy(table, a) || table.firstLine(a.node) - table.firstLine(b.node));
}

/** Returns the nodes of at least two requests, best first, without those that a longer node with the same requests replaces. */
function candidates(table: PrefixTable): number[] {
  const isOutgrown = new Uint8Array(table.size);
  for (let node = 0; node < table.size; node++) {
    const parent = table.parent(node);
    if (parent >= 0 && table.requests(parent) === table.requests(node)) {
      isOutgrown[parent] = 1;
    }
  }
  const found: number[] = [];
  for (let node = 0; node < table.size; node++) {
    if (isOutgrown[node] === 0 && table.requests(node) > 1) {
      found.push(node);
    }
  }
  const saved = (node: number) => (table.requests(node) - 1) * table.likely(node);
  return found.sort((a, b) => saved(b) - saved(a) || table.firstLine(a) - table.firstLine(b) || table.likely(b) - table.likely(a));
}

function parentIn(table: PrefixTable, chosen: ReadonlySet<number>, node: number): number {
  let above = table.parent(node);
  while (above >= 0 && !chosen.has(above)) {
    above = table.parent(above);
  }
  return above;
}

function savedBy(table: PrefixTable, { node, parent }: ChosenPrefix): number {
  return (table.requests(node) - 1) * (table.likely(node) - (parent < 0 ? 0 : table.likely(parent)));
}
