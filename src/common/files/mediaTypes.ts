/** Returns the media type of a file by its extension, or `undefined` for an unknown one. */
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
