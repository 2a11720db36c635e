import { toLabel } from '../../shared/text';
import { groupBy, memoized, type Run } from '../ledger';

/** Returns the decoded last segment of a URI's path. */
export function baseName(source: string): string {
  const last = source.slice(source.lastIndexOf('/') + 1);
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}

/** Returns the display name of a source: its file name, followed by its folder if another source has the same name. */
export type NameOfSource = (source: string) => string;

/** Returns unique names for sources. Equal file names get the shortest folder path that distinguishes them. */
export function toSourceNames(sources: Iterable<string>): NameOfSource {
  const sameName = groupBy(new Set(sources), baseName);
  const names = new Map<string, string>();
  const endOf = (folders: readonly string[], count: number) => folders.slice(-count).join('/');
  const nameIn = (source: string) => {
    const name = baseName(source);
    const others = (sameName.get(name) ?? []).filter(other => other !== source).map(foldersOf);
    const folders = others.length === 0 ? [] : foldersOf(source);
    const counts = folders.map((_, index) => index + 1);
    const enough = counts.find(count => others.every(other => endOf(other, count) !== endOf(folders, count))) ?? folders.length;
    return enough === 0 ? name : `${name} (${endOf(folders, enough)})`;
  };
  return source => {
    const name = names.get(source) ?? nameIn(source);
    names.set(source, name);
    return name;
  };
}

function foldersOf(source: string): readonly string[] {
  return source
    .slice(0, Math.max(source.lastIndexOf('/'), 0))
    .split('/')
    .slice(1)
    .filter(folder => folder !== '')
    .map(baseName);
}

/** Returns unique names for the sources of submissions. The same list returns the same function. */
export const namesAmong = memoized(
  (all: readonly { readonly source: string }[]): NameOfSource => toSourceNames(all.map(({ source }) => source)),
);

/** Returns the label of a run: its file name, or the ID of a batch created elsewhere. */
export function nameOfRun(registry: { all(): readonly { readonly source: string }[] }, { id, source }: Pick<Run, 'id' | 'source'>): string {
  return toLabel(source === '' ? id : nameAmong(registry.all(), source), 80);
}

/** Returns the name of a source that is unique among all submissions. */
export function nameAmong(all: readonly { readonly source: string }[], source: string): string {
  return namesAmong(all)(source);
}
