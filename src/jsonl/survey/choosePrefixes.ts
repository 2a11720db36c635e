import type { PrefixTable } from './prefixTable';

/** A node of a `PrefixTable` that is worth to be marked. */
export interface ChosenPrefix {
  readonly node: number;
  /** The chosen node that it goes on from, or -1. */
  readonly parent: number;
}

/** Of a longer prefix, what it must add to a shorter one that is chosen too. */
const leastGrowth = 0.1;
/** How many times the requests of the longer ones chosen a shorter one must have. */
const leastSpread = 1.5;

/**
 * The prefixes that save most when they are cached, best first, `most` at most. Of prefixes of the same requests only the longest is
 * one; a shorter one is chosen too when clearly more requests have it, a longer one when it is clearly longer. What one saves is
 * reckoned beyond what the chosen one that it goes on from saves: all requests but the first read that much from the cache.
 */
export function choosePrefixes(table: PrefixTable, most: number): ChosenPrefix[] {
  const chosen = new Set<number>();
  /** Requests under chosen nodes, by node above them. */
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

/** Nodes that two requests have at least, without those that a longer one of the same requests stands for, best first. */
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
