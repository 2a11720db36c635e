import type { BatchLimits } from './batchFileReport';
import {
  contractLimits,
  duplicateIdProblem,
  frameBytes,
  limitProblems,
  lineOfMadeId,
  madeId,
  madeIdTakenProblem,
  type Place,
  severityOrder,
  wrapBytes,
} from './batchRules';
import { parseJsonLine } from './jsonText';
import type { Problem, Severity } from './problem';
import { QuickLineCheck } from './quickLineCheck';
import { blankLineProblem, type CheckedLine, type LineKind } from './requestRules';

/** The lines of an open document, which may change between two calls. */
export interface LineSource {
  readonly lineCount: number;
  lineAt(line: number): { readonly text: string };
}

/** What the lines of a document come to. `bodyBytes` is exact but for the digits of made ids. */
export interface DocumentTotals {
  readonly requests: number;
  readonly bodyBytes: number;
  readonly problemCounts: Readonly<Record<Severity, number>>;
}

/** What is kept of one line. */
interface LineState {
  readonly kind: LineKind;
  readonly customId: string | undefined;
  readonly model: string | undefined;
  /** Problems of the line alone; their `line` is filled in when they are asked for. */
  readonly problems: readonly Problem[];
  readonly bytes: number;
  /** Where the line stands, once `renumber` has passed. */
  line: number;
  isDuplicate: boolean;
  idPlace: readonly [start: number, end: number] | undefined;
}

/** Milliseconds that the first sweep holds the thread at a time. */
const sliceMs = 4;

/**
 * Checks the lines of an open document by the rules that hold for a file. After one sweep in short slices each edit costs
 * the check of the lines it touched, however long the document is. Lines count from 0.
 */
export class DocumentChecker {
  private states: (LineState | undefined)[];
  private readonly byId = new Map<string, Set<LineState>>();
  /** Given ids that look like made ones. */
  private readonly madeLike = new Set<string>();
  /** The lines that may have something to say, so that asking for problems costs nothing for the others. */
  private readonly troubled = new Set<LineState>();
  private readonly counts: Record<Severity, number> = { error: 0, warning: 0, information: 0, hint: 0 };
  private requests = 0;
  private bare = 0;
  private bytes = 0;
  private duplicates = 0;
  /** First line whose state may carry an old number. */
  private numberedTo = 0;
  private sweptTo = 0;

  constructor(
    private readonly document: LineSource,
    private readonly limits: BatchLimits = contractLimits,
    private readonly lineCheck = new QuickLineCheck(),
  ) {
    this.states = new Array<LineState | undefined>(document.lineCount).fill(undefined);
  }

  /**
   * Reads every line once, holding the thread at most about 4 ms between two calls of `scheduler`. Changes may come between.
   * Rejects with the reason of `signal` when it is aborted.
   */
  async sweep(scheduler: () => Promise<void>, signal: AbortSignal): Promise<void> {
    this.sweptTo = 0;
    while (this.sweptTo < this.states.length) {
      const until = performance.now() + sliceMs;
      while (this.sweptTo < this.states.length && performance.now() < until) {
        if (this.states[this.sweptTo] === undefined) {
          this.put(this.sweptTo);
        }
        this.sweptTo++;
      }
      await scheduler();
      signal.throwIfAborted();
    }
  }

  /** Lines `startLine` to `startLine + removedLines` (exclusive) became `insertedLines` lines, which are read from the document. */
  change(startLine: number, removedLines: number, insertedLines: number): void {
    for (let line = startLine; line < startLine + removedLines; line++) {
      this.drop(this.states[line]);
    }
    if (removedLines === insertedLines) {
      this.states.fill(undefined, startLine, startLine + insertedLines);
    } else {
      const inserted = new Array<LineState | undefined>(insertedLines).fill(undefined);
      if (insertedLines < 1000) {
        this.states.splice(startLine, removedLines, ...inserted);
      } else {
        // Spreading many lines into `splice` would run out of arguments.
        this.states = this.states.slice(0, startLine).concat(inserted, this.states.slice(startLine + removedLines));
      }
      this.numberedTo = Math.min(this.numberedTo, startLine);
      if (this.sweptTo > startLine) {
        this.sweptTo = Math.max(startLine, this.sweptTo + insertedLines - removedLines);
      }
    }
    for (let line = startLine; line < Math.min(startLine + insertedLines, this.document.lineCount); line++) {
      this.put(line);
    }
  }

  /** The problems of the document, worst first and then by line, `limit` at most. */
  problems(limit: number): readonly Problem[] {
    this.renumber();
    const found: Problem[] = [...limitProblems(this.requests, this.totals.bodyBytes, this.limits)].slice(0, limit);
    const troubled = this.troubledInOrder();
    const uses = duplicateUses(troubled);
    for (const severity of severityOrder) {
      for (const state of troubled) {
        for (const problem of this.problemsOf(state, state.line, severity, uses)) {
          if (found.length >= limit) {
            return found;
          }
          found.push(problem);
        }
      }
    }
    return found;
  }

  get totals(): DocumentTotals {
    const bodyBytes = frameBytes(this.requests) + this.bytes + this.bare * wrapBytes(this.states.length - 1);
    const limits = limitProblems(this.requests, bodyBytes, this.limits).length;
    const error = this.counts.error + this.duplicates + this.madeIdsTaken() + limits;
    return { requests: this.requests, bodyBytes, problemCounts: { ...this.counts, error } };
  }

  /** The id of the request on a line: the given one, or the one made for bare params. */
  idOfLine(line: number): string | undefined {
    const state = this.states[line];
    return state?.kind === 'params' ? madeId(line) : state?.customId;
  }

  /** The first line whose request has this id. */
  lineOfId(id: string): number | undefined {
    const states = this.byId.get(id);
    if (states !== undefined) {
      this.renumber();
      let first = Number.POSITIVE_INFINITY;
      for (const { line } of states) {
        first = Math.min(first, line);
      }
      return first;
    }
    return this.lineThatMakes(id);
  }

  /** Kind, given id and model of a line that has been read. */
  lineInfo(line: number): Pick<CheckedLine, 'kind' | 'customId' | 'model'> | undefined {
    return this.states[line];
  }

  private put(line: number): void {
    const { text } = this.document.lineAt(line);
    const isLast = line === this.states.length - 1;
    const checked = this.lineCheck.check(text, line);
    // The end of the last line is no line of its own.
    const problems = checked.kind === 'blank' && !isLast ? [blankLineProblem(line)] : checked.problems;
    const isRequest = checked.kind === 'request' || checked.kind === 'params';
    const state: LineState = {
      kind: checked.kind,
      customId: checked.customId,
      model: checked.model,
      problems,
      bytes: isRequest ? Buffer.byteLength(text.trim()) : 0,
      line,
      isDuplicate: false,
      idPlace: undefined,
    };
    this.states[line] = state;
    this.add(state, 1);
    if (state.customId !== undefined) {
      const uses = this.byId.get(state.customId);
      if (uses === undefined) {
        this.byId.set(state.customId, new Set([state]));
      } else {
        // Only the second use changes what another line is.
        for (const use of uses.size === 1 ? uses : []) {
          this.mark(use, true);
        }
        uses.add(state);
        this.mark(state, true);
      }
    }
    const isMadeLike = state.customId !== undefined && lineOfMadeId(state.customId) !== undefined;
    if (state.customId !== undefined && isMadeLike) {
      this.madeLike.add(state.customId);
    }
    if (state.problems.length > 0 || isMadeLike) {
      this.troubled.add(state);
    }
  }

  private drop(state: LineState | undefined): void {
    if (state === undefined) {
      return;
    }
    this.add(state, -1);
    const uses = state.customId === undefined ? undefined : this.byId.get(state.customId);
    if (state.customId !== undefined && uses !== undefined) {
      uses.delete(state);
      this.mark(state, false);
      if (uses.size === 0) {
        this.byId.delete(state.customId);
        this.madeLike.delete(state.customId);
      }
      for (const use of uses.size === 1 ? uses : []) {
        this.mark(use, false);
      }
    }
    this.troubled.delete(state);
  }

  private add(state: LineState, sign: 1 | -1): void {
    for (const { severity } of state.problems) {
      this.counts[severity] += sign;
    }
    this.bytes += sign * state.bytes;
    if (state.kind === 'request' || state.kind === 'params') {
      this.requests += sign;
      this.bare += state.kind === 'params' ? sign : 0;
    }
  }

  private mark(state: LineState, isDuplicate: boolean): void {
    if (state.isDuplicate !== isDuplicate) {
      state.isDuplicate = isDuplicate;
      this.duplicates += isDuplicate ? 1 : -1;
      if (isDuplicate) {
        this.troubled.add(state);
      }
    }
  }

  private renumber(): void {
    for (let line = this.numberedTo; line < this.states.length; line++) {
      const state = this.states[line];
      if (state !== undefined) {
        state.line = line;
      }
    }
    this.numberedTo = this.states.length;
  }

  private troubledInOrder(): readonly LineState[] {
    return this.troubled.size * 4 < this.states.length
      ? [...this.troubled].sort((a, b) => a.line - b.line)
      : (this.states.filter(state => state !== undefined && this.troubled.has(state)) as readonly LineState[]);
  }

  private *problemsOf(
    state: LineState,
    line: number,
    severity: Severity,
    duplicateUses: ReadonlyMap<string, readonly [first: number, second: number]>,
  ): Iterable<Problem> {
    for (const problem of state.problems) {
      if (problem.severity === severity) {
        yield problem.line === line ? problem : { ...problem, line };
      }
    }
    if (severity !== 'error' || state.customId === undefined) {
      return;
    }
    const uses = state.isDuplicate ? duplicateUses.get(state.customId) : undefined;
    if (uses !== undefined) {
      const isFirst = uses[0] === line;
      yield duplicateIdProblem(this.placeOfId(state, line), state.customId, isFirst ? uses[1] : uses[0], isFirst);
    }
    const bareLine = uses === undefined || uses[0] === line ? this.lineThatMakes(state.customId) : undefined;
    if (bareLine !== undefined) {
      yield madeIdTakenProblem(this.placeOfId(state, line), state.customId, bareLine);
    }
  }

  private placeOfId(state: LineState, line: number): Place {
    if (state.idPlace === undefined) {
      const node = parseJsonLine(this.document.lineAt(line).text, true).root?.children?.get('custom_id');
      state.idPlace = [node?.start ?? 0, node?.end ?? 0];
    }
    return { line, start: state.idPlace[0], end: state.idPlace[1] };
  }

  /** The line of bare params for which `id` is made. */
  private lineThatMakes(id: string): number | undefined {
    const line = this.bare > 0 ? lineOfMadeId(id) : undefined;
    return line !== undefined && this.states[line]?.kind === 'params' ? line : undefined;
  }

  private madeIdsTaken(): number {
    let taken = 0;
    for (const id of this.bare > 0 ? this.madeLike : []) {
      taken += this.lineThatMakes(id) === undefined ? 0 : 1;
    }
    return taken;
  }
}

/** First and second line of every id that is used more than once; `states` are in order. */
function duplicateUses(states: readonly LineState[]): ReadonlyMap<string, readonly [first: number, second: number]> {
  const result = new Map<string, [number, number]>();
  for (const { isDuplicate, customId, line } of states) {
    if (isDuplicate && customId !== undefined) {
      const uses = result.get(customId);
      if (uses === undefined) {
        result.set(customId, [line, -1]);
      } else if (uses[1] === -1) {
        uses[1] = line;
      }
    }
  }
  return result;
}
