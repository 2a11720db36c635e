import { createHash } from 'node:crypto';

export interface TextPrint {
  /** Length in UTF-8 bytes. */
  readonly bytes: number;
  readonly sha256: string;
}

/** Line that was read before, or that the user requests. */
export interface WantedLine {
  /** Previous 0-based line number. */
  readonly line: number;
  /** Previous text without the CR before its line feed. */
  readonly text?: string | undefined;
  /** Fingerprint of the text, instead of `text`. */
  readonly print?: TextPrint | undefined;
  readonly customId?: string | undefined;
}

export function printOf(text: string | Uint8Array): TextPrint {
  return { bytes: Buffer.byteLength(text), sha256: createHash('sha256').update(text).digest('base64url') };
}

export function hasPrint(text: string | Uint8Array, print: TextPrint): boolean {
  return Buffer.byteLength(text) === print.bytes && printOf(text).sha256 === print.sha256;
}

/** Returns the `custom_id` of a line that is a JSON object, or `undefined`. */
export function customIdOf(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const id =
      typeof value === 'object' && value !== null && Object.hasOwn(value, 'custom_id') ? Reflect.get(value, 'custom_id') : undefined;
    return typeof id === 'string' ? id : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Finds a line of a file. The caller passes all lines one by one. Prefers the line with the same text that is closest to the previous
 * position. Otherwise uses the only line with the same id, or the line with that id at the previous position. Finds no line if several
 * others have the id.
 */
export class LineSearch<T> {
  private nearest: { readonly distance: number; readonly location: T } | undefined;
  private withId: T | undefined;
  private idCount = 0;
  private atLine: T | undefined;

  constructor(private readonly wanted: WantedLine) {}

  /** Checks one line. Requests its `text` only if needed. */
  visit(line: number, isSameText: boolean, text: () => string, location: T): void {
    const { wanted } = this;
    if (isAskedByNumber(wanted)) {
      this.nearest = line === wanted.line ? { distance: 0, location } : this.nearest;
      return;
    }
    const distance = Math.abs(line - wanted.line);
    if (isSameText && (this.nearest === undefined || distance < this.nearest.distance)) {
      this.nearest = { distance, location };
    }
    if (wanted.customId !== undefined && this.nearest === undefined && customIdOf(text()) === wanted.customId) {
      this.idCount++;
      this.withId = location;
      this.atLine = line === wanted.line ? location : this.atLine;
    }
  }

  get found(): T | undefined {
    return this.nearest?.location ?? (this.idCount === 1 ? this.withId : this.atLine);
  }
}

/** Finds a line of an open document and returns its number. */
export function findLineIn(
  document: { readonly lineCount: number; lineAt(line: number): { readonly text: string } },
  wanted: WantedLine,
): number | undefined {
  const isSameText = (text: string) => (wanted.print === undefined ? text === wanted.text : hasPrint(text, wanted.print));
  if (wanted.line >= 0 && wanted.line < document.lineCount && (isAskedByNumber(wanted) || isSameText(textAt(wanted.line)))) {
    return wanted.line;
  }
  const search = new LineSearch<number>(wanted);
  const mayHaveId = idFilter(wanted);
  for (let line = 0; line < document.lineCount; line++) {
    const text = textAt(line);
    const isSame = isSameText(text);
    if (isSame || mayHaveId(text)) {
      search.visit(line, isSame, () => text, line);
    }
  }
  return search.found;

  function textAt(line: number): string {
    return document.lineAt(line).text;
  }
}

/** Returns whether the line is identified only by its number. */
export function isAskedByNumber({ text, print, customId }: WantedLine): boolean {
  return text === undefined && print === undefined && customId === undefined;
}

/** Returns a test for lines that may have the wanted id, without parsing them. */
function idFilter({ customId }: WantedLine): (text: string) => boolean {
  const written = JSON.stringify(customId);
  return text => customId !== undefined && (text.includes(written) || text.includes('\\'));
}
