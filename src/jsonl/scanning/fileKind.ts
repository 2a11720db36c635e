import { looksLikeBatch, needsConversion, topLevelFields } from './looksLikeBatch';

/** Content of a file: requests, results, requests in another form, or rows that requests can be built from. */
export type FileKind = 'requests' | 'results' | 'otherForm' | 'rows';

/** Detects the kind of a file from its first lines. Returns `undefined` for a file that this extension can't use. */
export function fileKindOf(lines: readonly string[]): FileKind | undefined {
  if (looksLikeBatch(lines)) {
    return 'requests';
  }
  if (needsConversion(lines)) {
    return 'otherForm';
  }
  const fields = firstFields(lines);
  if (fields === undefined || fields.size === 0) {
    return undefined;
  }
  if (fields.has('custom_id')) {
    return fields.has('result') || areForeignResults(fields) ? 'results' : undefined;
  }
  return areForeignResults(fields) ? 'results' : 'rows';
}

/** Returns whether the first line of a file is a result of another service. */
export function hasForeignResults(lines: readonly string[]): boolean {
  return areForeignResults(firstFields(lines) ?? new Set());
}

function areForeignResults(fields: ReadonlySet<string>): boolean {
  const isChat = fields.has('custom_id') && (fields.has('response') || (fields.has('error') && fields.has('id')));
  return !fields.has('result') && (isChat || (fields.has('recordId') && fields.has('modelOutput')));
}

function firstFields(lines: readonly string[]): ReadonlySet<string> | undefined {
  const first = lines.map(line => line.replace(/^\ufeff/, '').trim()).find(line => line !== '');
  return topLevelFields(first ?? '');
}
