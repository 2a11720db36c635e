import { createHash } from 'node:crypto';
import { madeId } from '../batchRules';
import { repairId } from './customIds';
import { idEdits, wrapEdits } from './idFixes';
import { IdLedger } from './idLedger';
import { type JsonContainer, memberOf, parsedOf, placeOf, rootOf } from './jsonPlaces';
import type { LineRewriter, RewriteSummary, SourceLine } from './lineRewriter';
import { applyEdits } from './textEdit';

/** What ids are made from. */
export type IdScheme =
  /** A text and the number of the request in its file, from 1; with zeros before it all have the same length. */
  | { readonly type: 'number'; readonly prefix: string; readonly padded: boolean }
  /** The first 16 hexadecimal digits of the SHA-256 of the bytes of the params. */
  | { readonly type: 'hash' }
  /** A text or number inside the params, repaired where ids may not be so. */
  | { readonly type: 'field'; readonly path: readonly (string | number)[] };

export interface IdChoice {
  readonly scheme: IdScheme;
  /** Requests that have no id yet, or all. */
  readonly scope: 'missing' | 'all';
}

/** Gives ids to requests by a scheme; where two would be the same, the later ones get a number behind it. */
export class IdRewriter implements LineRewriter {
  private readonly ids = new IdLedger();
  private requests = 0;
  private withoutId = 0;
  private changed = 0;
  private number = 0;

  constructor(private readonly choice: IdChoice) {}

  survey(line: SourceLine): void {
    if (line.kind !== 'request' && line.kind !== 'params') {
      return;
    }
    this.requests++;
    const id = line.kind === 'request' ? line.customId() : undefined;
    if (!id) {
      this.withoutId++;
    }
    if (id !== undefined && !this.changes(line, id)) {
      this.ids.reserve(id);
    } else if (line.kind === 'params' && !line.canChange) {
      this.ids.reserveBare(line.line);
    }
  }

  rewrite(line: SourceLine): readonly string[] | undefined {
    if (line.kind !== 'request' && line.kind !== 'params') {
      return undefined;
    }
    this.number++;
    const old = line.kind === 'request' ? line.customId() : undefined;
    if (!this.changes(line, old)) {
      return undefined;
    }
    const text = line.text();
    const root = rootOf(text);
    if (root === undefined) {
      return undefined;
    }
    const id = this.ids.give(this.baseOf(text, root, line));
    if (id === old) {
      return undefined;
    }
    this.changed++;
    return [applyEdits(text, line.kind === 'params' ? wrapEdits(text, root, id) : idEdits(text, root, id))];
  }

  summary(): RewriteSummary {
    const { requests, withoutId, changed } = this;
    return { changedLines: changed, fixes: [['make-id', changed]], problemsLeft: 0, requests, withoutId };
  }

  private changes(line: SourceLine, id: string | undefined): boolean {
    return line.canChange && (this.choice.scope === 'all' || !id);
  }

  private baseOf(text: string, root: JsonContainer, line: SourceLine): string {
    const { scheme } = this.choice;
    const part = line.kind === 'params' ? undefined : memberOf(root, 'params');
    const params = line.kind === 'params' ? text.slice(root.start, root.end) : part && text.slice(part.start, part.end);
    switch (scheme.type) {
      case 'number':
        return numbered(scheme.prefix, this.number, scheme.padded ? this.requests : 0);
      case 'hash':
        return params === undefined ? madeId(line.line) : createHash('sha256').update(params).digest('hex').slice(0, 16);
      case 'field': {
        const place = params === undefined ? undefined : placeOf(params, scheme.path);
        const value = params === undefined || place === undefined ? undefined : parsedOf(params, place.part);
        const word = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
        return repairId(word) ?? madeId(line.line);
      }
    }
  }
}

/** `prefix` and a number, as wide as the largest of `count` when that is not 0. */
export function numbered(prefix: string, number: number, count: number): string {
  return prefix + String(number).padStart(count === 0 ? 0 : String(count).length, '0');
}

/** The path that people write as `metadata.user_id` or `messages[0].content`. */
export function toFieldPath(text: string): readonly (string | number)[] {
  return text
    .replace(/^params\./, '')
    .split(/[.[\]]+/)
    .filter(step => step !== '')
    .map(step => (/^\d+$/.test(step) ? Number(step) : step));
}
