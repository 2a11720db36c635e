/**
 * The paths that have what was typed in them, best first, at most `most`: its words, parted by `/`, one after another; those
 * whose name begins with the last of them before others, and shorter ones before longer. Case does not matter.
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

/** 0 for a name that begins with the last word, 1 for one that has it, 2 for a path that has it; undefined for what does not fit. */
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

/** A glob for files whose name has a word in it, whatever its case. */
export function toNameGlob(word: string): string {
  const signs = [...word].map(sign => {
    const [lower, upper] = [sign.toLowerCase(), sign.toUpperCase()];
    return lower !== upper && lower.length === 1 && upper.length === 1 ? `[${lower}${upper}]` : /[[\]{}*?!,\\/]/.test(sign) ? '?' : sign;
  });
  return `**/*${signs.join('')}*`;
}
