/** What data of a chat is to a service; a `mark` is the chat's own, as for caches, and nothing to read. */
export type DataKind = 'image' | 'document' | 'text' | 'mark' | 'other';

const images = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp']);

/** The kind of data by its media type, in letters of any case: marks have none. */
export function dataKindOf(mimeType: string): DataKind {
  const type = mimeType.toLowerCase();
  if (images.has(type)) {
    return 'image';
  }
  if (type === 'application/pdf') {
    return 'document';
  }
  if (/^text\/|[/+]json$/.test(type)) {
    return 'text';
  }
  return type.includes('/') ? 'other' : 'mark';
}
