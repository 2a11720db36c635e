import { looksLikeBatch, needsConversion, topLevelFields } from './looksLikeBatch';

/** What the first lines of a file show it to hold: requests, results, requests in another form, or rows that requests can be built from. */
export type FileKind = 'requests' | 'results' | 'otherForm' | 'rows';

/** What a file holds, by its first lines; undefined when that is nothing of ours. */
export function fileKindOf(lines: readonly string[]): FileKind | undefined {
  if (looksLikeBatch(lines)) {
    return 'requests';
  }
  if (needsConversion(lines)) {
    return 'otherForm';
  }
  const first = lines.map(line => line.replace(/^\ufeff/, '').trim()).find(line => line !== '');
  const fields = topLevelFields(first ?? '');
  if (fields === undefined || fields.size === 0) {
    return undefined;
  }
  if (fields.has('custom_id')) {
    return fields.has('result') ? 'results' : undefined;
  }
  return 'rows';
}
