/** Returns the media type of a file by its extension, or `undefined` for an unknown extension. */
export function mediaTypeOf(name: string): string | undefined {
  const [, ending = ''] = /\.([^.]+)$/.exec(name) ?? [];
  return mediaTypes.get(ending.toLowerCase());
}

const mediaTypes: ReadonlyMap<string, string> = new Map([
  ...['txt', 'log', 'ts', 'js', 'py', 'go', 'rs', 'java', 'c', 'h', 'sh', 'yaml', 'yml', 'toml', 'ini'].map(
    ending => [ending, 'text/plain'] as const,
  ),
  ['md', 'text/markdown'],
  ['csv', 'text/csv'],
  ['html', 'text/html'],
  ['xml', 'text/xml'],
  ['json', 'application/json'],
  ['jsonl', 'application/jsonl'],
  ['pdf', 'application/pdf'],
  ['zip', 'application/zip'],
  ['png', 'image/png'],
  ['jpg', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['gif', 'image/gif'],
  ['webp', 'image/webp'],
  ['svg', 'image/svg+xml'],
]);

/**
 * Returns the media type and file extension (without the dot) of an image by its first bytes. Returns `undefined` for vector graphics, and
 * for other formats that services don't accept or VS Code can't show.
 */
export function imageTypeOf(bytes: Uint8Array): { readonly mediaType: string; readonly extension: string } | undefined {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 16)).toString('latin1');
  const isWebp = start.startsWith('RIFF') && start.slice(8, 12) === 'WEBP';
  const type = isWebp ? 'webp' : imageStarts.find(([, first]) => start.startsWith(first))?.[0];
  return type && { mediaType: `image/${type}`, extension: type === 'jpeg' ? 'jpg' : type };
}

/** First bytes of images, by the name in their media types. */
const imageStarts = [
  ['png', '\x89PNG\r\n\x1a\n'],
  ['jpeg', '\xff\xd8\xff'],
  ['gif', 'GIF87a'],
  ['gif', 'GIF89a'],
] as const;
