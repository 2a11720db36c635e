/**
 * Returns at most `most` paths that match a query, best first. Its words, separated by `/`, must occur in the path in this order, ignoring
 * case. Names that start with the last word come first. Shorter paths come before longer ones.
 */
export function rankPaths<T extends { readonly path: string }>(found: readonly T[], query: string, most: number): readonly T[] {
  const words = query
    .toLowerCase()
    .split('/')
    .filter(word => word !== '');
  const ranked = found.flatMap(item => {
    const rank = rankOf(item.path.toLowerCase(), words);
    return rank === undefined ? [] : [{ item, rank }];
  });
  ranked.sort((a, b) => a.rank - b.rank || a.item.path.length - b.item.path.length || (a.item.path < b.item.path ? -1 : 1));
  return ranked.slice(0, most).map(({ item }) => item);
}

/**
 * Returns the rank of a path, or `undefined` if it doesn't match. The rank is 0 if its name starts with the last word, and 1 if its name
 * contains it. It is 2 if only the path contains it.
 */
function rankOf(path: string, words: readonly string[]): number | undefined {
  const last = words.at(-1);
  if (last === undefined) {
    return 0;
  }
  let from = 0;
  for (const word of words) {
    const at = path.indexOf(word, from);
    if (at === -1) {
      return undefined;
    }
    from = at + word.length;
  }
  const name = path.slice(path.lastIndexOf('/') + 1);
  return name.startsWith(last) ? 0 : name.includes(last) ? 1 : 2;
}

/** Returns a case-insensitive glob for files whose name contains a word. */
export function toNameGlob(word: string): string {
  const signs = [...word].map(sign => {
    const [lower, upper] = [sign.toLowerCase(), sign.toUpperCase()];
    return lower !== upper && lower.length === 1 && upper.length === 1 ? `[${lower}${upper}]` : /[[\]{}*?!,\\/]/.test(sign) ? '?' : sign;
  });
  return `**/*${signs.join('')}*`;
}
