/** Kind of data in a chat. A `mark` is internal to the chat, such as a cache control, and has no contents. */
export type DataKind = 'image' | 'document' | 'text' | 'mark' | 'other';

const images = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp']);

/** Returns the kind of data by its media type, ignoring case. */
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
