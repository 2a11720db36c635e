import { createHash } from 'node:crypto';

/** What tells a text from others without keeping it. */
export interface TextPrint {
  /** Length in UTF-8. */
  readonly bytes: number;
  readonly sha256: string;
}

/** A line that was seen before and is looked for again, or one that a user asks for. */
export interface WantedLine {
  /** Where it was; from 0. */
  readonly line: number;
  /** What stood there, without the CR before its line feed. */
  readonly text?: string | undefined;
  /** Instead of `text`. */
  readonly print?: TextPrint | undefined;
  readonly customId?: string | undefined;
}

export function printOf(text: string | Uint8Array): TextPrint {
  return { bytes: Buffer.byteLength(text), sha256: createHash('sha256').update(text).digest('base64url') };
}

/** Whether a text has a print. */
export function hasPrint(text: string | Uint8Array, print: TextPrint): boolean {
  return Buffer.byteLength(text) === print.bytes && printOf(text).sha256 === print.sha256;
}

/** The id of a line that is a whole JSON object with one; undefined for every other line. */
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
 * Finds a line among all lines of a file, told one after the other: the one with the same text that is nearest to where it was;
 * else the only one with its id, or the one with its id that stands where it was. It rather finds nothing than guesses.
 */
export class LineSearch<T> {
  private nearest: { readonly distance: number; readonly place: T } | undefined;
  private withId: T | undefined;
  private idCount = 0;
  private inPlace: T | undefined;

  constructor(private readonly wanted: WantedLine) {}

  /** Tells one line; `text` is asked for when the cheap look at it is not enough. */
  look(line: number, isSameText: boolean, text: () => string, place: T): void {
    const { wanted } = this;
    if (isAskedByNumber(wanted)) {
      this.nearest = line === wanted.line ? { distance: 0, place } : this.nearest;
      return;
    }
    const distance = Math.abs(line - wanted.line);
    if (isSameText && (this.nearest === undefined || distance < this.nearest.distance)) {
      this.nearest = { distance, place };
    }
    if (wanted.customId !== undefined && this.nearest === undefined && customIdOf(text()) === wanted.customId) {
      this.idCount++;
      this.withId = place;
      this.inPlace = line === wanted.line ? place : this.inPlace;
    }
  }

  get found(): T | undefined {
    return this.nearest?.place ?? (this.idCount === 1 ? this.withId : this.inPlace);
  }
}

/** The same among the lines of an open document; answers its number. */
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
      search.look(line, isSame, () => text, line);
    }
  }
  return search.found;

  function textAt(line: number): string {
    return document.lineAt(line).text;
  }
}

/** Whether there is nothing to know the line by but where it stands. */
export function isAskedByNumber({ text, print, customId }: WantedLine): boolean {
  return text === undefined && print === undefined && customId === undefined;
}

/** Whether a line can have the wanted id at all, without parsing it. */
function idFilter({ customId }: WantedLine): (text: string) => boolean {
  const written = JSON.stringify(customId);
  return text => customId !== undefined && (text.includes(written) || text.includes('\\'));
}
