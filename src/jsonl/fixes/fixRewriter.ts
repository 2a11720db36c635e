import type { Problem, Severity } from '../../contract/problem';
import { checkRequestLine } from '../checking/requestRules';
import { derivedId } from '../files/derivedIds';
import type { RuleOptions } from '../rules/ruleOptions';
import { rootOf } from '../scanning/jsonMembers';
import { hasFixes } from './fixesOfProblem';
import type { FixKind } from './fixKinds';
import { fixLine } from './fixLine';
import { IdLedger } from './idLedger';
import { memberOf } from './jsonParts';
import { choosesKind, type FixContext, type FixSelection, type LineFix } from './lineFix';
import { type LineRewriter, type RewriteSummary, type SourceLine, toSourceLine } from './lineRewriter';
import { baseOfId, holdsMoreThanId, idEdits, isAllowedId, misspeltIdOf, wrapEdits } from './makers/idFixes';
import { applyEdits } from './textEdit';

/** Fixes of ids. Such fixes depend on the whole file, not on a single line. */
const idKinds: ReadonlySet<FixKind> = new Set<FixKind>(['make-id', 'repair-id', 'unique-id', 'wrap-params']);

/** Rules whose fixes can change the id of a line, its kind, or the number of lines. */
const reshapingRules: ReadonlySet<string> = new Set([
  'json-syntax',
  'duplicate-key',
  'lone-surrogate',
  'missing-field',
  'unknown-field',
  'not-a-request',
]);

export class FixRewriter implements LineRewriter {
  private readonly ids = new IdLedger();
  private readonly models = new Map<string, number>();
  private mostUsed: string | undefined;
  private readonly counts = new Map<FixKind, number>();
  /** Number of the next line of the new file, in the survey (`surveyed`) and in the rewrite (`written`). */
  private surveyed = 0;
  private written = 0;
  private changedLines = 0;
  private problemsLeft = 0;
  private requests = 0;
  private withoutId = 0;

  constructor(
    private readonly selection: FixSelection,
    private readonly rules: RuleOptions,
  ) {}

  survey(line: SourceLine): void {
    if (this.isRemoved(line)) {
      return;
    }
    // Most fixes can't change ids, models or the number of lines, so the survey doesn't try them.
    const isReshaped = line.model() === undefined || line.noted.some(({ rule }) => reshapingRules.has(rule));
    const parts = isReshaped ? this.partsOf(line, this.surveyed) : [line];
    for (const part of parts) {
      const { kind } = part;
      const model = part.model() ?? '';
      const customId = kind === 'request' ? part.customId() : undefined;
      this.models.set(model, (this.models.get(model) ?? 0) + 1);
      if (kind === 'params' && !this.wraps) {
        this.ids.reserveBare(this.surveyed);
      }
      if (customId !== undefined && (isAllowedId(customId) || !this.repairs)) {
        this.ids.reserve(customId);
      }
      this.surveyed++;
    }
  }

  rewrite(line: SourceLine): readonly string[] | undefined {
    if (this.isRemoved(line)) {
      this.count(new Set<FixKind>(['blank-line']));
      return [];
    }
    const applied = new Set<FixKind>();
    const parts = this.partsOf(line, this.written, applied);
    const withIds = parts.map(part => {
      this.requests += part.kind === 'request' || part.kind === 'params' ? 1 : 0;
      this.withoutId += part.kind === 'params' || (part.kind === 'request' && !part.customId()) ? 1 : 0;
      return this.withId(part, this.written++, applied);
    });
    if (applied.size === 0) {
      return undefined;
    }
    this.count(applied);
    return parts.map((part, index) => withIds[index] ?? part.text());
  }

  summary(): RewriteSummary {
    const { changedLines, problemsLeft, requests, withoutId } = this;
    return { changedLines, problemsLeft, requests, withoutId, fixes: [...this.counts] };
  }

  private isRemoved(line: SourceLine): boolean {
    return line.kind === 'blank' && !line.isUnended && line.canChange && this.applies('blank-line', 'blank-line');
  }

  private get repairs(): boolean {
    return this.applies('repair-id', 'text-pattern', 'wrong-type', 'text-length');
  }

  private get wraps(): boolean {
    return choosesKind(this.selection, 'wrap-params', '');
  }

  /** Returns whether fixes of a kind are applied for any of these rules. Rules that are off have no problems to fix. */
  private applies(kind: FixKind, ...rules: readonly string[]): boolean {
    return rules.some(rule => this.rules.severities[rule] !== 'off' && choosesKind(this.selection, kind, rule));
  }

  private partsOf(line: SourceLine, at: number, applied?: Set<FixKind>): readonly SourceLine[] {
    if (!line.canChange || !line.noted.some(({ rule }) => hasFixes(rule))) {
      return [line];
    }
    // The survey sets no default model, because it would be counted as a used model.
    const commonModel = () => {
      this.mostUsed ??= applied && mostUsed(this.models);
      return this.mostUsed;
    };
    const context: FixContext = { line: at, isTaken: () => false, models: this.rules.models ?? [], commonModel };
    const choose = (fix: LineFix, problem: Problem) =>
      fix.preferred && !idKinds.has(fix.kind) && choosesKind(this.selection, fix.kind, problem.rule);
    const fixed = fixLine(line.text(), context, (text, number) => checkRequestLine(text, number, this.rules), choose, line.checked());
    for (const kind of fixed.applied.keys()) {
      applied?.add(kind);
    }
    return fixed.parts.map(({ text, checked }) => toSourceLine(text, at, { ...checked, noted: checked.problems }, () => checked));
  }

  /** Returns the text of a part with its new id, or `undefined` if the part keeps its id. Counts the remaining problems. */
  private withId(part: SourceLine, at: number, applied: Set<FixKind>): string | undefined {
    const id = this.newId(part, at);
    let problems: SourceLine['noted'] = part.noted;
    let text: string | undefined;
    if (id !== undefined && part.canChange) {
      text = part.text();
      const root = rootOf(text);
      if (root !== undefined) {
        applied.add(id.kind);
        const given = id.give(text, root);
        text = applyEdits(text, part.kind === 'params' ? wrapEdits(text, root, given) : idEdits(text, root, given));
        problems = problems.length > 0 ? checkRequestLine(text, at, this.rules).problems : problems;
      }
    }
    this.problemsLeft += problems.filter(({ severity }) => countsAsLeft(severity)).length;
    return text;
  }

  private newId(part: SourceLine, at: number): NewId | undefined {
    const { ids, repairs } = this;
    if (part.kind === 'params') {
      return this.wraps ? { kind: 'wrap-params', give: () => ids.give(derivedId(at)) } : undefined;
    }
    if (part.kind !== 'request') {
      return undefined;
    }
    const customId = part.customId();
    const give: NewId['give'] = (text, root) => ids.give(baseOfId(text, root, at));
    if (customId === undefined) {
      const text = part.text();
      const root = rootOf(text);
      const odd = memberOf(root, 'custom_id');
      if (odd === undefined) {
        return misspeltIdOf(root) === undefined && this.applies('make-id', 'missing-field') ? { kind: 'make-id', give } : undefined;
      }
      return repairs && !holdsMoreThanId(text, odd) ? { kind: 'repair-id', give } : undefined;
    }
    if (!isAllowedId(customId) && repairs) {
      return { kind: 'repair-id', give };
    }
    const use = ids.use(customId);
    if (use === 'first') {
      return undefined;
    }
    const rule = use === 'again' ? 'duplicate-id' : 'made-id-taken';
    if (isAllowedId(customId) && this.applies('unique-id', rule)) {
      return { kind: 'unique-id', give: () => ids.give(customId) };
    }
    const severity = this.rules.severities[rule] ?? 'error';
    this.problemsLeft += countsAsLeft(severity) ? 1 : 0;
    return undefined;
  }

  private count(kinds: ReadonlySet<FixKind>): void {
    this.changedLines++;
    for (const kind of kinds) {
      this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1);
    }
  }
}

interface NewId {
  readonly kind: FixKind;
  give(text: string, root: NonNullable<ReturnType<typeof rootOf>>): string;
}

/** Returns the most used name of `counts`, ignoring the empty name. Returns `undefined` if there is no other name. */
export function mostUsed(counts: ReadonlyMap<string, number>): string | undefined {
  return [...counts].filter(([name]) => name !== '').reduce((most, next) => (next[1] > most[1] ? next : most), ['', 0])[0] || undefined;
}

/** Returns whether problems of a severity count as remaining. Hints and information don't. */
function countsAsLeft(severity: Severity | 'off'): boolean {
  return severity === 'error' || severity === 'warning';
}
