/** How data of each media type begins in base64. */
const beginnings: readonly (readonly [type: string, beginning: string])[] = [
  ['image/jpeg', '/9j/'],
  ['image/png', 'iVBORw0KGgo'],
  ['image/gif', 'R0lGOD'],
  ['application/pdf', 'JVBERi'],
];

/** Media type of data in base64, by its first bytes: a JPEG, PNG, GIF, WebP or PDF. Returns `undefined` if they are none of these. */
export function typeOfBase64(data: string): string | undefined {
  // RIFF, four bytes of length, WEBP.
  if (data.startsWith('UklGR') && data.startsWith('RUJQ', 12)) {
    return 'image/webp';
  }
  return beginnings.find(([, beginning]) => data.startsWith(beginning))?.[0];
}

/** Length of the `data:image/png;base64,` before data in base64; 0 if there is none. */
export function lengthOfDataPrefix(data: string): number {
  // Parameters such as a charset are short.
  return /^data:[^,]{0,200};base64,/i.exec(data.slice(0, 250))?.[0].length ?? 0;
}
