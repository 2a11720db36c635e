/**
 * Returns those of `texts` that `text` contains, in one pass (Aho-Corasick). Takes time in proportion to the length of all texts; a search for
 * each one could take seconds if the text is repetitive.
 */
export function findContained(text: string, texts: readonly string[]): ReadonlySet<string> {
  // Nodes of a trie in breadth-first order; node 0 is the root. A node's fallback is the node of its longest suffix that starts another text.
  const edges = new Map<number, number>();
  const fallbacks = [0];
  const edge = (node: number, text: string, index: number) => edges.get(node * 65_536 + text.charCodeAt(index));
  const follow = (from: number, text: string, index: number): number => {
    let [node, next] = [from, edge(from, text, index)];
    while (next === undefined && node !== 0) {
      node = fallbacks[node] ?? 0;
      next = edge(node, text, index);
    }
    return next ?? 0;
  };
  const ends = texts.map(() => 0);
  const longest = texts.reduce((most, { length }) => Math.max(most, length), 0);
  for (let depth = 0; depth < longest; depth++) {
    for (const [index, each] of texts.entries()) {
      if (depth < each.length) {
        const node = ends[index] ?? 0;
        let next = edge(node, each, depth);
        if (next === undefined) {
          next = fallbacks.length;
          fallbacks.push(node === 0 ? 0 : follow(fallbacks[node] ?? 0, each, depth));
          edges.set(node * 65_536 + each.charCodeAt(depth), next);
        }
        ends[index] = next;
      }
    }
  }
  const reached = new Uint8Array(fallbacks.length);
  for (let index = 0, node = 0; index < text.length; index++) {
    node = follow(node, text, index);
    reached[node] = 1;
  }
  for (let node = fallbacks.length - 1; node > 0; node--) {
    if (reached[node] === 1) {
      reached[fallbacks[node] ?? 0] = 1;
    }
  }
  return new Set(texts.filter((_, index) => reached[ends[index] ?? 0] === 1));
}
