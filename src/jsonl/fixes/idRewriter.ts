import { createHash } from 'node:crypto';
import { classifyLine } from '../checking/requestRules';
import { derivedId } from '../files/derivedIds';
import { type JsonContainer, rootOf } from '../scanning/jsonMembers';
import { IdLedger } from './idLedger';
import { JsonLine } from './jsonLine';
import { memberOf } from './jsonParts';
import { type LineRewriter, type RewriteSummary, type SourceLine, toSourceLine } from './lineRewriter';
import { idEdits, repairId, wrapEdits } from './makers/idFixes';
import { applyEdits } from './textEdit';

export type IdScheme =
  /** A prefix and the 1-based number of the request in its file, padded with zeros to `digits` digits. */
  | { readonly type: 'number'; readonly prefix: string; readonly digits: number }
  /** First 16 hexadecimal digits of the SHA-256 of the bytes of the params. */
  | { readonly type: 'hash' }
  /** Text or number inside the params, with invalid characters replaced. */
  | { readonly type: 'field'; readonly path: readonly (string | number)[] };

export interface IdChoice {
  readonly scheme: IdScheme;
  readonly scope: 'missing' | 'all';
}

/** Sets the ids of requests by a scheme. If two ids would be equal, a number is appended to the second id. */
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
        return params === undefined ? derivedId(line.line) : createHash('sha256').update(params).digest('hex').slice(0, 16);
      case 'field': {
        const inner = new JsonLine(params ?? '');
        const field = inner.partAt(scheme.path);
        const value = field === undefined ? undefined : inner.valueOf(field.part);
        const word = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
        return repairId(word) ?? derivedId(line.line);
      }
    }
  }
}

/** Returns up to `most` ids that the first lines of a file would get by a choice. Ignores the ids on later lines. */
export function previewIds(lines: readonly string[], choice: IdChoice, most: number): readonly string[] {
  const source = lines.map((text, line) => {
    const checked = classifyLine(text);
    return toSourceLine(text, line, { ...checked, noted: checked.problems }, () => checked);
  });
  const rewriter = new IdRewriter(choice);
  for (const line of source) {
    rewriter.survey(line);
  }
  const ids: string[] = [];
  for (const line of source) {
    const [text] = rewriter.rewrite(line) ?? [];
    const id = text === undefined ? undefined : classifyLine(text).customId;
    if (id !== undefined && ids.push(id) >= most) {
      break;
    }
  }
  return ids;
}

/** Parses a path inside the params, such as `metadata.user_id` or `messages[0].content`. Ignores a leading `params.`. */
export function toFieldPath(text: string): readonly (string | number)[] {
  return text
    .replace(/^params\./, '')
    .split(/[.[\]]+/)
    .filter(step => step !== '')
    .map(step => (/^\d+$/.test(step) ? Number(step) : step));
}
