import { createHash } from 'node:crypto';
import { madeId } from '../checking/madeIds';
import { tellRequestLine } from '../checking/requestRules';
import { IdLedger } from './idLedger';
import { JsonLine } from './jsonLine';
import { type JsonContainer, memberOf, rootOf } from './jsonPlaces';
import type { LineRewriter, RewriteSummary, SourceLine } from './lineRewriter';
import { repairId } from './makers/customIds';
import { idEdits, wrapEdits } from './makers/idFixes';
import { applyEdits } from './textEdit';

/** What ids are made from. */
export type IdScheme =
  /** A text and the number of the request in its file, from 1, with zeros before it up to so many digits. */
  | { readonly type: 'number'; readonly prefix: string; readonly digits: number }
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
        return scheme.prefix + String(this.number).padStart(scheme.digits, '0');
      case 'hash':
        return params === undefined ? madeId(line.line) : createHash('sha256').update(params).digest('hex').slice(0, 16);
      case 'field': {
        const inner = new JsonLine(params ?? '');
        const place = inner.placeOf(scheme.path);
        const value = place === undefined ? undefined : inner.valueOf(place.part);
        const word = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
        return repairId(word) ?? madeId(line.line);
      }
    }
  }
}

/** The first ids that a choice gives to the lines at the begin of a file, `most` of them. Ids further down are not known to it. */
export function previewIds(lines: readonly string[], choice: IdChoice, most: number): readonly string[] {
  const source = lines.map(toToldLine);
  const rewriter = new IdRewriter(choice);
  for (const line of source) {
    rewriter.survey(line);
  }
  const ids: string[] = [];
  for (const line of source) {
    const [text] = rewriter.rewrite(line) ?? [];
    const id = text === undefined ? undefined : tellRequestLine(text).customId;
    if (id !== undefined && ids.push(id) >= most) {
      break;
    }
  }
  return ids;
}

function toToldLine(text: string, line: number): SourceLine {
  const told = tellRequestLine(text);
  const unknown = { noted: [], canChange: true, isUnended: false };
  return {
    ...unknown,
    line,
    kind: told.kind,
    checked: () => told,
    text: () => text,
    customId: () => told.customId,
    model: () => told.model,
  };
}

/** The path that people write as `metadata.user_id` or `messages[0].content`. */
export function toFieldPath(text: string): readonly (string | number)[] {
  return text
    .replace(/^params\./, '')
    .split(/[.[\]]+/)
    .filter(step => step !== '')
    .map(step => (/^\d+$/.test(step) ? Number(step) : step));
}
