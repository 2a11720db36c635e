import { withoutEnds } from '../../shared/trim';

/** Returns a distinct, short id prefix for each file, derived from its name and with only characters that ids may have. */
export function idPrefixes(names: readonly string[]): readonly string[] {
  const used = new Set<string>();
  return names.map((name, index) => {
    const plain = name.replace(/\.[^.]*$/, '').replace(/[^a-zA-Z0-9_-]+/g, '-');
    const stem = withoutEnds(plain, '-').slice(0, 20);
    let prefix = stem === '' ? `file-${index + 1}` : stem;
    for (let number = 2; used.has(prefix); number++) {
      prefix = `${stem === '' ? 'file' : stem}-${number}`;
    }
    used.add(prefix);
    return prefix;
  });
}
