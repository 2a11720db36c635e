const beginnings: readonly (readonly [type: string, beginning: string])[] = [
  ['image/jpeg', '/9j/'],
  ['image/png', 'iVBORw0KGgo'],
  ['image/gif', 'R0lGOD'],
  ['application/pdf', 'JVBERi'],
];

/** Returns the media type of base64 data from its first bytes: JPEG, PNG, GIF, WebP or PDF. `undefined` for any other data. */
export function typeOfBase64(data: string): string | undefined {
  // `RIFF`, four bytes of length, then `WEBP`.
  if (data.startsWith('UklGR') && data.startsWith('RUJQ', 12)) {
    return 'image/webp';
  }
  return beginnings.find(([, beginning]) => data.startsWith(beginning))?.[0];
}

/** Returns the length of a prefix such as `data:image/png;base64,` of base64 data, or 0 if there is no prefix. */
export function lengthOfDataPrefix(data: string): number {
  // Parameters such as a charset are short.
  return /^data:[^,]{0,200};base64,/i.exec(data.slice(0, 250))?.[0].length ?? 0;
}
