import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { customIdPattern } from '../../contract/customId';
import type { ProblemText } from '../../contract/problem';
import { withoutEnds } from '../../shared/trim';
import { IdTable } from '../files/idTable';
import { convertParams } from './chatParams';
import { type ConversionNotes, NotConvertible } from './conversionNotes';
import type { ConvertOptions, ItemKind, ItemLayout } from './convertingJobs';
import { type ForeignItem, maxItemBytes } from './foreignItems';
import { type KnownItem, knowItem } from './knowItem';
import { RawJson } from './rawJson';

/** Line of a request file, or the reason why the item can't be converted. */
export type ConvertedItem = { readonly kind: ItemKind; readonly line: string } | { readonly failure: ProblemText };

/** Pattern of generated ids. */
const madeIdPattern = /^(?:line|request)-\d+(?:-\d+)?$/;

/** Converts items of one file to requests. Holds the state of the file: options and used ids. */
export class ItemConverter {
  private readonly taken: ReadonlySet<string>;
  private readonly used = new IdTable();

  constructor(
    private readonly layout: ItemLayout,
    private readonly options: ConvertOptions,
    private readonly notes: ConversionNotes,
  ) {
    this.taken = new Set(options.takenIds);
  }

  convert(item: ForeignItem): ConvertedItem {
    const { line, column, number } = item;
    this.notes.position = { line, column, number };
    try {
      const known = readItem(item);
      return { kind: known.kind, line: this.toLine(known, item) };
    } catch (error) {
      if (!(error instanceof NotConvertible)) {
        throw error;
      }
      return { failure: error.text };
    }
  }

  private toLine(known: KnownItem, item: ForeignItem): string {
    const { kind, isForeign, body, at } = known;
    if (kind === 'request') {
      for (const key of body.keys()) {
        if (key !== 'custom_id' && key !== 'params') {
          this.notes.add(key, 'Unsupported, kept. A quick fix moves it to another file.');
        }
      }
      const given = givenId(body.given('custom_id'));
      const id = given === undefined ? undefined : this.chosenId(given, item);
      return id === undefined || id === given ? body.json : body.withField('custom_id', JSON.stringify(id));
    }
    const params = isForeign ? convertParams(body, at, this.options, this.notes) : body.json;
    if (kind === 'batch-line') {
      this.noteEnvelope(known);
    }
    return `{"custom_id":${this.idFor(known, item)},"params":${params}}`;
  }

  private idFor({ id }: KnownItem, item: ForeignItem): string {
    const { line, number } = item;
    const given = givenId(id);
    if (given === undefined) {
      return JSON.stringify(this.generatedId(this.layout === 'lines' ? `line-${line + 1}` : `request-${number + 1}`));
    }
    const chosen = this.chosenId(given, item);
    return id?.string === chosen ? id.json : JSON.stringify(chosen);
  }

  /** Returns the id for an item that has one: unchanged unless it is invalid or an earlier item has it. */
  private chosenId(given: string, { number }: ForeignItem): string {
    let id = customIdPattern.test(given) ? given : fitId(given);
    if (this.used.findText(id) >= 0) {
      id = fitId(`${given}-${number + 1}`);
    }
    this.used.addText(id);
    if (id !== given) {
      this.notes.addChangedId(given, id);
    }
    return id;
  }

  private generatedId(id: string): string {
    let free = id;
    for (let number = 2; this.taken.has(free); number++) {
      free = `${id}-${number}`;
    }
    return free;
  }

  private noteEnvelope({ item }: KnownItem): void {
    for (const key of item.keys()) {
      if (!envelopeFields.has(key) && item.given(key) !== undefined) {
        this.notes.add(key, 'Not supported, left out.');
      }
    }
  }
}

const envelopeFields: ReadonlySet<string> = new Set(['custom_id', 'recordId', 'method', 'url', 'body', 'modelInput']);

/** Parses and classifies an item. Throws a `NotConvertible` if it is not a request. */
export function readItem({ bytes, start, end, isTooLong }: ForeignItem): KnownItem {
  if (isTooLong) {
    throw new NotConvertible('This line is longer than {0} bytes.', maxItemBytes);
  }
  const part = bytes.subarray(start, end);
  if (!isUtf8(part)) {
    throw new NotConvertible('Save the file as UTF-8.');
  }
  const parsed = RawJson.parse(part.toString());
  if (!(parsed instanceof RawJson)) {
    throw new NotConvertible(parsed.template, ...parsed.args);
  }
  return knowItem(parsed);
}

/** Returns an existing id as text. A number becomes its digits. */
export function givenId(id: RawJson | undefined): string | undefined {
  return id === undefined || id.string !== undefined ? id?.string : typeof id.value === 'number' ? id.json : undefined;
}

/** Returns whether an id looks like a generated one. */
export function isGeneratedId(id: string): boolean {
  return madeIdPattern.test(id);
}

/** Returns a valid id derived from an invalid one, with a hash of it, so that equal ids stay equal and different ids stay different. */
function fitId(id: string): string {
  const hash = createHash('sha256').update(id).digest('hex').slice(0, 8);
  const rest = withoutEnds(id.replace(/[^a-zA-Z0-9_-]+/g, '-'), '-').slice(0, 64 - 9);
  return rest === '' ? hash : `${rest}-${hash}`;
}
