/** What a text is: plain words, JSON, or something that begins like JSON and is none, with the place where it ends to be so. */
export type JsonCheck =
  | { readonly kind: 'text' | 'json' }
  | { readonly kind: 'broken'; readonly line: number; readonly column: number; readonly isCut: boolean };

/** Looks whether a text that begins like an object or a list is JSON. Lines and columns count from 1. */
export function checkJson(text: string): JsonCheck {
  if (!/^\s*[[{]/.test(text)) {
    return { kind: 'text' };
  }
  try {
    JSON.parse(text);
    return { kind: 'json' };
  } catch (error) {
    const told = /at position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1];
    const place = told === undefined ? text.length : Math.min(Number(told), text.length);
    const before = text.slice(0, place);
    const lineStart = before.lastIndexOf('\n') + 1;
    return {
      kind: 'broken',
      line: before.split('\n').length,
      column: place - lineStart + 1,
      isCut: place >= text.trimEnd().length,
    };
  }
}
