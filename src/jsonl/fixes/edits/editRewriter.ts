import { JsonLine } from '../jsonLine';
import type { LineRewriter, RewriteSummary, SourceLine } from '../lineRewriter';
import { applyEdits, smallestEdit } from '../textEdit';
import { editsOf } from './editsOf';
import type { EditChoice, EditExample, LeftReason } from './fieldEdit';

/**
 * Maximum number of examples, and maximum lengths of the text before, after and in a change, in characters. They make a change visible in
 * half the width of an editor.
 */
const maxExamples = 100;
const maxBefore = 20;
const maxBehind = 60;
const maxOfChange = 2000;

/** Makes one change in the requests in scope. All other bytes of them, and all other lines, stay unchanged. */
export class EditRewriter implements LineRewriter {
  private readonly left = new Map<LeftReason, number>();
  private readonly models = new Map<string, number>();
  private readonly rules = new Map<string, number>();
  private readonly examples: EditExample[] = [];
  private requests = 0;
  private withoutId = 0;
  private troubled = 0;
  private changed = 0;

  constructor(private readonly choice: EditChoice) {}

  survey(line: SourceLine): void {
    if (line.kind !== 'request' && line.kind !== 'params') {
      return;
    }
    this.requests++;
    this.withoutId += line.kind === 'request' && line.customId() ? 0 : 1;
    const model = line.model();
    if (model !== undefined) {
      add(this.models, model);
    }
    this.troubled += line.noted.length > 0 ? 1 : 0;
    for (const rule of new Set(line.noted.map(noted => noted.rule))) {
      add(this.rules, rule);
    }
  }

  rewrite(line: SourceLine): readonly string[] | undefined {
    if (line.kind === 'blank' || this.choice.edit === undefined) {
      return undefined;
    }
    if (line.kind === 'invalid' || !line.canChange) {
      add(this.left, 'unreadable');
      return undefined;
    }
    if (!this.isMeant(line)) {
      add(this.left, 'other');
      return undefined;
    }
    const text = line.text();
    const edits = editsOf(new JsonLine(text), this.choice.edit);
    if (typeof edits === 'string') {
      add(this.left, edits);
      return undefined;
    }
    const after = applyEdits(text, edits);
    this.changed++;
    if (this.examples.length < maxExamples) {
      this.examples.push({ line: line.line, id: line.kind === 'request' ? line.customId() : undefined, ...cutAround(text, after) });
    }
    return [after];
  }

  summary(): RewriteSummary {
    const { requests, withoutId, changed, left, examples, models, rules, troubled } = this;
    const edited = { left: [...left], examples, models: mostFrequentFirst(models), rules: mostFrequentFirst(rules), troubled };
    return { changedLines: changed, fixes: [], problemsLeft: 0, requests, withoutId, edited };
  }

  private isMeant(line: SourceLine): boolean {
    const { scope } = this.choice;
    const id = () => (line.kind === 'request' ? line.customId() : undefined);
    switch (scope.by) {
      case 'all':
        return true;
      case 'model':
        return line.model() === scope.model;
      case 'problem':
        return line.noted.some(({ rule }) => scope.rule === undefined || scope.rule === rule);
      case 'id':
        return id()?.includes(scope.part) === true;
      case 'lines':
        return scope.lines.has(line.line);
      case 'ids':
        return scope.ids.has(id() ?? '');
    }
  }
}

function add<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function mostFrequentFirst(counts: ReadonlyMap<string, number>): readonly (readonly [string, number])[] {
  return [...counts].sort((a, b) => b[1] - a[1]);
}

function cutAround(before: string, after: string): Pick<EditExample, 'before' | 'after'> {
  const { start, end, text } = smallestEdit(before, after);
  const head = `${start > maxBefore ? '…' : ''}${before.slice(Math.max(0, start - maxBefore), start)}`;
  const tail = `${before.slice(end, end + maxBehind)}${end + maxBehind < before.length ? '…' : ''}`;
  const cut = (change: string) => `${head}${change.length > maxOfChange ? `${change.slice(0, maxOfChange)}…` : change}${tail}`;
  return { before: cut(before.slice(start, end)), after: cut(text) };
}
