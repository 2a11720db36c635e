import type { Problem, Severity } from '../../contract/problem';
import { derivedId, lineOfDerivedId } from '../files/derivedIds';
import type { QuickLine } from './quickLineCheck';

export interface LineState extends Omit<QuickLine, 'problems'> {
  /** Problems of the findings in `noted`, with their ranges. Set when first requested. Their `line` may be outdated. */
  problems: readonly Problem[] | undefined;
  readonly bytes: number;
  /** Current line number, valid after `renumber`. */
  line: number;
  isDuplicate: boolean;
  idRange: readonly [start: number, end: number] | undefined;
}

/** State of each line of a document, and totals. The cost of an edit depends mostly on the number of changed lines. */
export class LineBook {
  private states: (LineState | undefined)[];
  private readonly byId = new Map<string, Set<LineState>>();
  private readonly derivedLike = new Set<string>();
  /** Lines that may have problems, so that collecting problems skips all others. */
  private readonly troubled = new Set<LineState>();
  readonly problemCounts: Record<Severity, number> = { error: 0, warning: 0, information: 0, hint: 0 };
  requests = 0;
  bare = 0;
  /** Total size of all requests, in bytes. */
  bytes = 0;
  /** Number of lines whose id is used on other lines too. */
  duplicates = 0;
  /** First line whose number may be outdated. */
  private numberedTo = 0;

  constructor(lineCount: number) {
    this.states = new Array<LineState | undefined>(lineCount).fill(undefined);
  }

  get count(): number {
    return this.states.length;
  }

  at(line: number): LineState | undefined {
    return this.states[line];
  }

  /** Replaces `removed` lines from `start` on with `inserted` lines that have not been read. */
  replace(start: number, removed: number, inserted: number): void {
    for (let line = start; line < start + removed; line++) {
      this.drop(this.states[line]);
    }
    if (removed === inserted) {
      this.states.fill(undefined, start, start + inserted);
      return;
    }
    const unknown = new Array<LineState | undefined>(inserted).fill(undefined);
    this.states = this.states.slice(0, start).concat(unknown, this.states.slice(start + removed));
    this.numberedTo = Math.min(this.numberedTo, start);
  }

  set(state: LineState): void {
    this.states[state.line] = state;
    this.add(state, 1);
    if (state.noted.length > 0) {
      this.troubled.add(state);
    }
    const { customId } = state;
    if (customId === undefined) {
      return;
    }
    const uses = this.byId.get(customId) ?? new Set();
    this.byId.set(customId, uses);
    // The first use becomes a duplicate when the second is added.
    for (const use of uses.size === 1 ? uses : []) {
      this.mark(use, true);
    }
    uses.add(state);
    this.mark(state, uses.size > 1);
    if (lineOfDerivedId(customId) !== undefined) {
      this.derivedLike.add(customId);
      this.troubled.add(state);
    }
  }

  /** Returns the lines that may have problems, with current line numbers, in order. */
  troubledInOrder(): readonly LineState[] {
    this.renumber();
    return this.troubled.size * 4 < this.states.length
      ? [...this.troubled].sort((a, b) => a.line - b.line)
      : (this.states.filter(state => state !== undefined && this.troubled.has(state)) as readonly LineState[]);
  }

  idOfLine(line: number): string | undefined {
    const state = this.states[line];
    return state?.kind === 'params' ? derivedId(line) : state?.customId;
  }

  /** Returns the first line below line `above` whose request has this id. */
  lineOfId(id: string, above = -1): number | undefined {
    const states = this.byId.get(id);
    if (states !== undefined) {
      this.renumber();
      let first = Number.POSITIVE_INFINITY;
      for (const { line } of states) {
        first = line > above && line < first ? line : first;
      }
      return first;
    }
    return this.lineThatMakes(id);
  }

  /** Returns the line of the bare params whose derived id is `id`. */
  lineThatMakes(id: string): number | undefined {
    const line = this.bare > 0 ? lineOfDerivedId(id) : undefined;
    return line !== undefined && this.states[line]?.kind === 'params' ? line : undefined;
  }

  /** Counts the given ids that are also derived for bare params. */
  derivedIdsTaken(): number {
    let taken = 0;
    for (const id of this.bare > 0 ? this.derivedLike : []) {
      taken += this.lineThatMakes(id) === undefined ? 0 : 1;
    }
    return taken;
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
        this.derivedLike.delete(state.customId);
      }
      for (const use of uses.size === 1 ? uses : []) {
        this.mark(use, false);
      }
    }
    this.troubled.delete(state);
  }

  private add(state: LineState, sign: 1 | -1): void {
    for (const { severity } of state.noted) {
      this.problemCounts[severity] += sign;
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
}

/** Returns the first and second line of each id that is used more than once. `states` must be ordered by line. */
export function duplicateUses(states: readonly LineState[]): ReadonlyMap<string, readonly [first: number, second: number]> {
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
