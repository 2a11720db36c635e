import { type Problem, type Severity, severityOrder } from '../../contract/problem';
import type { Noted } from '../rules/lineNotes';
import { contractRules, judged, severityOf } from '../rules/ruleOptions';
import { parseJsonLine } from '../scanning/jsonText';
import type { BatchLimits } from './batchFileReport';
import {
  contractLimits,
  derivedIdTakenProblem,
  duplicateIdProblem,
  type LineRange,
  largeRequestProblem,
  limitProblems,
  lineProblem,
} from './batchRules';
import { frameBytes, wrapBytes } from './bodyFrame';
import { duplicateUses, LineBook, type LineState } from './lineBook';
import { QuickLineCheck } from './quickLineCheck';
import { type CheckedLine, checkRequestLine, type LineKind } from './requestRules';

/** Lines of an open document, which may change between two calls. */
export interface LineSource {
  readonly lineCount: number;
  /** Line ending as in VS Code's `EndOfLine`: 2 for CR LF. */
  readonly eol?: number;
  lineAt(line: number): { readonly text: string };
}

export interface DocumentTotals {
  readonly requests: number;
  readonly problemCounts: Readonly<Record<Severity, number>>;
}

const nothing: readonly Problem[] = [];

/** Maximum time that a sweep blocks the thread at once, in milliseconds. */
const sliceMs = 4;
/** Maximum number of problems per severity to locate while lines are read. More problems are rarely shown. */
const maxPlaced = 1000;
/** Maximum number of changed lines that are read synchronously. */
const maxLinesAtOnce = 1000;

/**
 * Checks the lines of an open document by the rules for files. After an initial sweep in short slices, an edit only checks the changed
 * lines, however long the document is. Lines are 0-based.
 */
export class DocumentChecker {
  private readonly lines: LineBook;
  private sweptTo = 0;

  constructor(
    private readonly document: LineSource,
    private readonly limits: BatchLimits = contractLimits,
    private readonly lineCheck = new QuickLineCheck(contractRules()),
  ) {
    this.lines = new LineBook(document.lineCount);
  }

  /**
   * Reads every line once, blocking the thread for at most about 4 ms between two calls of `scheduler`. The document may change in between.
   * Rejects with the reason of `signal` if it is aborted.
   */
  async sweep(scheduler: () => Promise<void>, signal: AbortSignal): Promise<void> {
    this.sweptTo = 0;
    while (this.sweptTo < this.lines.count) {
      const until = performance.now() + sliceMs;
      while (this.sweptTo < this.lines.count && performance.now() < until) {
        if (this.lines.at(this.sweptTo) === undefined) {
          this.put(this.sweptTo);
        }
        this.sweptTo++;
      }
      await scheduler();
      signal.throwIfAborted();
    }
  }

  get isSwept(): boolean {
    return this.sweptTo >= this.lines.count;
  }

  /**
   * Replaces lines `startLine` to `startLine + removedLines` (exclusive) with `insertedLines` lines of the document. Up to 1,000 lines are
   * read immediately. For more lines, the caller must start a sweep unless a sweep is running.
   */
  change(startLine: number, removedLines: number, insertedLines: number): void {
    this.lines.replace(startLine, removedLines, insertedLines);
    if (removedLines !== insertedLines && this.sweptTo > startLine) {
      this.sweptTo = Math.max(startLine, this.sweptTo + insertedLines - removedLines);
    }
    if (insertedLines > maxLinesAtOnce) {
      this.sweptTo = Math.min(this.sweptTo, startLine);
      return;
    }
    for (let line = startLine; line < Math.min(startLine + insertedLines, this.document.lineCount); line++) {
      this.put(line);
    }
  }

  /** Returns at most `limit` problems, ordered from most to least severe, then by line. */
  problems(limit: number): readonly Problem[] {
    const ofFile = this.fileProblems().flatMap(problem => judged(problem, this.lineCheck.options) ?? []);
    const found: Problem[] = [];
    const troubled = this.lines.troubledInOrder();
    const uses = duplicateUses(troubled);
    for (const severity of severityOrder) {
      found.push(...ofFile.filter(problem => problem.severity === severity));
      for (const state of troubled) {
        for (const problem of this.problemsOf(state, state.line, severity, uses)) {
          if (found.length >= limit) {
            return found;
          }
          found.push(problem);
        }
      }
    }
    return found.slice(0, limit);
  }

  problemsAt(line: number): readonly Problem[] {
    const state = this.lines.at(line);
    if (state === undefined) {
      return nothing;
    }
    const id = state.customId ?? '';
    const first = this.lineOfId(id) ?? line;
    const uses = new Map([[id, [first, this.lines.lineOfId(id, first) ?? line] as const]]);
    return severityOrder.flatMap(severity => [...this.problemsOf(state, line, severity, uses)]);
  }

  get totals(): DocumentTotals {
    const problemCounts = { ...this.lines.problemCounts };
    // Rules that compare lines or check the whole file.
    const shared = [
      { rule: 'duplicate-id', severity: 'error' as const, count: this.lines.duplicates },
      { rule: 'made-id-taken', severity: 'error' as const, count: this.lines.derivedIdsTaken() },
      ...this.fileProblems().map(({ rule, severity }) => ({ rule, severity, count: 1 })),
    ];
    for (const { rule, severity: own, count } of shared) {
      const severity = severityOf(rule, own, this.lineCheck.options);
      if (severity !== undefined) {
        problemCounts[severity] += count;
      }
    }
    return { requests: this.lines.requests, problemCounts };
  }

  /** Returns the id of the request on a line: the given id, or the id derived for bare params. */
  idOfLine(line: number): string | undefined {
    return this.lines.idOfLine(line);
  }

  /** Returns the first line whose request has this id. */
  lineOfId(id: string): number | undefined {
    return this.lines.lineOfId(id);
  }

  /** Returns kind, given id, model and findings of a line alone, or `undefined` if the line has not been read. */
  lineInfo(line: number): (Pick<CheckedLine, 'kind' | 'customId' | 'model'> & { readonly noted: readonly Noted[] }) | undefined {
    return this.lines.at(line);
  }

  private put(line: number): void {
    const { text } = this.document.lineAt(line);
    const isLast = line === this.lines.count - 1;
    const checked = this.lineCheck.checkQuickly(text, line);
    const isRequest = checked.kind === 'request' || checked.kind === 'params';
    const bytes = isRequest ? Buffer.byteLength(text.trim()) : 0;
    const own = this.sizeProblems(checked.kind, line, isLast, bytes);
    const isPlaced = own.length > 0 || checked.noted.some(({ severity }) => this.lines.problemCounts[severity] < maxPlaced);
    const problems = checked.problems === undefined && !isPlaced ? undefined : [...own, ...(checked.problems ?? this.checkLine(line))];
    this.lines.set({
      ...checked,
      noted: own.length === 0 ? checked.noted : (problems ?? []),
      problems,
      bytes,
      line,
      isDuplicate: false,
      idRange: undefined,
    });
  }

  private *problemsOf(
    state: LineState,
    line: number,
    severity: Severity,
    duplicateUses: ReadonlyMap<string, readonly [first: number, second: number]>,
  ): Iterable<Problem> {
    if (state.noted.some(noted => noted.severity === severity)) {
      state.problems ??= this.checkLine(line);
      for (const problem of state.problems) {
        if (problem.severity === severity) {
          yield problem.line === line ? problem : { ...problem, line };
        }
      }
    }
    const { customId } = state;
    if (customId === undefined) {
      return;
    }
    const { options } = this.lineCheck;
    const isWanted = (rule: string) => severityOf(rule, 'error', options) === severity;
    const uses = state.isDuplicate ? duplicateUses.get(customId) : undefined;
    if (uses !== undefined && isWanted('duplicate-id')) {
      const isFirst = uses[0] === line;
      yield { ...duplicateIdProblem(this.rangeOfId(state, line), customId, isFirst ? uses[1] : uses[0], isFirst), severity };
    }
    const bareLine = uses === undefined || uses[0] === line ? this.lines.lineThatMakes(customId) : undefined;
    if (bareLine !== undefined && isWanted('made-id-taken')) {
      yield { ...derivedIdTakenProblem(this.rangeOfId(state, line), customId, bareLine), severity };
    }
  }

  private checkLine(line: number): readonly Problem[] {
    return checkRequestLine(this.document.lineAt(line).text, line, this.lineCheck.options).problems;
  }

  /** Returns the problem of a line that is blank, or too large for a batch. */
  private sizeProblems(kind: LineKind, line: number, isLast: boolean, bytes: number): readonly Problem[] {
    // An empty last line only means that the line before it ends with a line break.
    const isBlank = kind === 'blank' && !isLast;
    const problem = isBlank
      ? lineProblem('blank-line', line)
      : bytes > 0
        ? largeRequestProblem(line, bytes, kind === 'params', this.limits)
        : undefined;
    const reported = problem && judged(problem, this.lineCheck.options);
    return reported === undefined ? nothing : [reported];
  }

  private fileProblems(): readonly Problem[] {
    const { requests, bytes, bare, count } = this.lines;
    // Exact except for the digits of derived ids.
    const bodyBytes = frameBytes(requests) + bytes + bare * wrapBytes(count - 1);
    const problems = [...limitProblems(requests, bodyBytes, this.limits)];
    const { eol, lineCount } = this.document;
    if (eol === 2 && lineCount > 1) {
      problems.push(lineProblem('carriage-returns', 0));
    }
    if (lineCount > 0 && this.document.lineAt(lineCount - 1).text !== '') {
      problems.push(lineProblem('no-last-newline', lineCount - 1));
    }
    return problems;
  }

  private rangeOfId(state: LineState, line: number): LineRange {
    if (state.idRange === undefined) {
      const node = parseJsonLine(this.document.lineAt(line).text).root?.children?.get('custom_id');
      state.idRange = [node?.start ?? 0, node?.end ?? 0];
    }
    return { line, start: state.idRange[0], end: state.idRange[1] };
  }
}
