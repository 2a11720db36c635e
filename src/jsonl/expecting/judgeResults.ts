import { cutText } from '../../shared/text';
import { forEachText } from '../answers/answerText';
import { type ErrorCluster, ErrorClusters } from '../answers/errorClusters';
import { withTimeLimit } from '../answers/withTimeLimit';
import type { PassContext } from '../files/lineFile';
import type { JoinedResults } from '../results/joinedResults';
import { toStored } from '../results/resultStatus';
import { type IndexContents, outcomeOf, readIndexOf } from '../results/resultsIndexFile';
import {
  checksOf,
  type Expectation,
  type ExpectationCheck,
  type ExpectationProblem,
  Expectations,
  shownCharacters,
  type UnmetExpectation,
  unmetOf,
} from './expectation';

export interface JudgeSource extends JoinedResults {
  /** Path of the expectations file. `undefined` if there is no such file. */
  readonly expectationsPath?: string;
  /** Rows of the joined file to judge in detail, ascending. In shared memory. By default, all rows are judged without details. */
  readonly rows?: Uint32Array;
}

/** Group of answers that passed, or that failed for the same reason. */
export interface JudgedGroup {
  readonly kind: 'passed' | 'unmet' | ErrorCluster['kind'];
  /** Failed check of answers that don't meet their expectation. */
  readonly check: ExpectationCheck | undefined;
  /** Error type, or the keyword of the schema for unmet expectations. */
  readonly errorType: string | undefined;
  /** Error message, or the position in the answer's JSON for unmet expectations. */
  readonly message: string;
  readonly count: number;
}

export interface JudgedResults {
  /** Index in `groups` for each judged row, in order. In shared memory. */
  readonly groupOf: Uint16Array;
  /** Groups of answers. The first group has the answers that passed. */
  readonly groups: readonly JudgedGroup[];
  /** Failures of each judged row. Empty unless `rows` was given. */
  readonly details: readonly JudgedRow[];
  readonly problems: readonly ExpectationProblem[];
}

export interface JudgedRow {
  readonly row: number;
  readonly failure: UnmetExpectation | undefined;
  /** Text of the answer or error, cut at 64 Ki characters. */
  readonly text: string;
}

const succeeded = toStored('succeeded');
/** Maximum number of answers to judge under one time limit, and of their characters. Setting up a limit takes a millisecond. */
const maxTogether = 2_000;
const maxCharacters = 4 << 20;
/** Time limits in milliseconds: for several answers together, and for one answer alone. */
const togetherMs = 500;
const aloneMs = 100;
/** Maximum number of answers for which a pattern or schema may exceed its time limit. Further answers fail without being checked. */
const maxTimeouts = 3;
/** Maximum number of groups. Failures for further reasons share a group. */
const maxGroups = 200;

/** Additional options for comparisons. */
interface JudgeOptions {
  /** Returns the id of the expectation of a row. Default: the row's own id. */
  readonly idOf?: (row: number) => string | undefined;
  /**
   * Called for each row with an expectation. `checks` are the expected checks, and `failed` are the checks that the answer fails. Without a
   * complete answer, all checks fail. `failed` is `undefined` if the expectation is invalid.
   */
  readonly onChecked?: (row: number, checks: readonly ExpectationCheck[], failed: readonly ExpectationCheck[] | undefined) => void;
}

/**
 * Judges joined results. A result without a complete answer fails with its own error. Every other answer is checked against its
 * expectation. If a pattern or schema takes too long, the answer fails and the expectation is reported. Blocks the thread, so only for
 * workers. Throws an `IndexMismatchError` if the index does not match.
 */
export function judgeResults(source: JudgeSource, context: PassContext, options: JudgeOptions = {}): JudgedResults {
  const contents = readIndexOf(source);
  const expectations = Expectations.read(source.expectationsPath, () => context.throwIfAborted());
  expectations.reportUnknown(id => contents.ids.findText(id) >= 0);
  const rows = source.rows ?? Uint32Array.from({ length: contents.rows.count }, (_, row) => row);
  const judge = new Judge(contents, expectations, rows.length, { ...options, wantsDetails: source.rows !== undefined });
  const { statuses } = contents.rows;
  // Without expectations, the texts of succeeded answers are not needed.
  const isRead = (row: number) => source.rows !== undefined || !expectations.isEmpty || statuses[row] !== succeeded;
  let next = 0;
  const skipTo = (row: number) => {
    for (let found = rows[next]; found !== undefined && found !== row; found = rows[++next]) {
      judge.add(found, '');
    }
    next++;
  };
  forEachText(source.joinedPath, contents, rows.filter(isRead), context, (row, text) => {
    skipTo(row);
    judge.add(row, text);
  });
  skipTo(-1);
  judge.flush();
  return {
    groupOf: judge.groupOf,
    groups: judge.groups,
    details: judge.details.sort((a, b) => a.row - b.row),
    problems: expectations.problems,
  };
}

interface Judged {
  readonly position: number;
  readonly row: number;
  readonly text: string;
}

interface Waiting extends Judged {
  readonly expectation: Expectation;
}

class Judge {
  readonly groupOf: Uint16Array;
  readonly details: JudgedRow[] = [];
  readonly groups: Group[] = [{ ...passed, count: 0 }];
  private readonly numbers = new Map([[JSON.stringify(passed), 0]]);
  private readonly clusters = new ErrorClusters();
  /** Number of times each pattern or schema exceeded its time limit. A pattern that applies to all answers is counted only once. */
  private readonly slow = new Map<unknown, number>();
  private waiting: Waiting[] = [];
  private waitingCharacters = 0;
  private position = 0;

  constructor(
    private readonly contents: IndexContents,
    private readonly expectations: Expectations,
    count: number,
    private readonly options: JudgeOptions & { readonly wantsDetails: boolean },
  ) {
    this.groupOf = new Uint16Array(new SharedArrayBuffer(count * 2));
  }

  add(row: number, text: string): void {
    const judged = { position: this.position++, row, text };
    const expectation = this.expectationOf(row);
    const cause = this.clusters.add({ ...outcomeOf(this.contents, row), message: text });
    if (cause !== undefined) {
      const { kind, errorType, message } = cause;
      this.reportChecks(row, expectation, checks => checks);
      this.settle(judged, undefined, { kind, check: undefined, errorType, message });
    } else if (expectation === undefined) {
      this.settle(judged, undefined, passed);
    } else {
      this.waiting.push({ ...judged, expectation });
      this.waitingCharacters += text.length;
      if (this.waiting.length >= maxTogether || this.waitingCharacters >= maxCharacters) {
        this.flush();
      }
    }
  }

  private expectationOf(row: number): Expectation | undefined {
    const { rows, ids } = this.contents;
    const { idOf = (of: number) => ids.text(rows.ids[of] as number) } = this.options;
    const id = this.expectations.isEmpty ? undefined : idOf(row);
    return id === undefined ? undefined : this.expectations.of(id);
  }

  private reportChecks(
    row: number,
    expectation: Expectation | undefined,
    failedOf: (checks: readonly ExpectationCheck[]) => readonly ExpectationCheck[] | undefined,
  ): void {
    const { onChecked } = this.options;
    const checks = onChecked === undefined || expectation === undefined ? [] : checksOf(expectation);
    if (expectation !== undefined && checks.length > 0) {
      onChecked?.(row, checks, this.expectations.isUsable(expectation) ? failedOf(checks) : undefined);
    }
  }

  flush(): void {
    const { waiting } = this;
    this.waiting = [];
    this.waitingCharacters = 0;
    const failures = this.judgeTogether(waiting);
    for (const [index, one] of waiting.entries()) {
      const failed = failures[index] ?? [];
      const failure = failed[0];
      this.reportChecks(one.row, one.expectation, () => (failure?.check === 'expectation' ? undefined : failed.map(({ check }) => check)));
      const unmet = { kind: 'unmet', check: failure?.check, errorType: failure?.keyword, message: failure?.at ?? '' } as const;
      this.settle(one, failure, failure === undefined ? passed : unmet);
    }
  }

  /** Returns the expectations that an answer doesn't meet. Returns all of them for `onChecked`, otherwise only the first. */
  private judge({ row, text, expectation }: Waiting): readonly UnmetExpectation[] {
    if (!this.expectations.isUsable(expectation)) {
      return [{ check: 'expectation', expected: '', actual: '' }];
    }
    const facts = { text, outputTokens: this.contents.rows.outputTokens[row] as number };
    if (this.options.onChecked !== undefined) {
      return [...unmetOf(expectation, facts)];
    }
    const [first] = unmetOf(expectation, facts);
    return first === undefined ? [] : [first];
  }

  /** Returns the unmet expectations of each answer. If judging them together exceeds the time limit, judges each answer alone. */
  private judgeTogether(waiting: readonly Waiting[]): readonly (readonly UnmetExpectation[])[] {
    const judgeAll = () => waiting.map(one => this.judge(one));
    if (!waiting.some(({ expectation }) => expectation.pattern ?? expectation.schema)) {
      return judgeAll();
    }
    const together = waiting.some(one => this.isTooSlow(one)) ? undefined : withTimeLimit(togetherMs, judgeAll);
    return together?.value ?? waiting.map(one => this.judgeAlone(one));
  }

  private judgeAlone(one: Waiting): readonly UnmetExpectation[] {
    const { line } = one.expectation;
    const pattern = one.expectation.pattern?.source ?? '';
    const key = slowKeyOf(one);
    const times = this.slow.get(key) ?? 0;
    const judged = this.isTooSlow(one) ? undefined : withTimeLimit(aloneMs, () => this.judge(one));
    if (judged !== undefined) {
      return judged.value;
    }
    if (times === 0) {
      this.expectations.report({ line, code: 'too-slow', name: pattern });
    }
    this.slow.set(key, times + 1);
    return [{ check: 'expectation', keyword: 'too-slow', expected: pattern, actual: '' }];
  }

  private isTooSlow(one: Waiting): boolean {
    return (this.slow.get(slowKeyOf(one)) ?? 0) >= maxTimeouts;
  }

  private settle({ position, row, text }: Judged, failure: UnmetExpectation | undefined, kind: Omit<JudgedGroup, 'count'>): void {
    const number = this.numberOf(kind);
    (this.groups[number] as Group).count++;
    this.groupOf[position] = number;
    if (this.options.wantsDetails) {
      this.details.push({ row, failure, text: cutText(text, shownCharacters) });
    }
  }

  private numberOf(kind: Omit<JudgedGroup, 'count'>): number {
    const key = JSON.stringify(kind);
    const known = this.numbers.get(key);
    if (known === undefined && this.groups.length >= maxGroups && kind.message !== '…') {
      return this.numberOf({ kind: kind.kind, check: undefined, errorType: undefined, message: '…' });
    }
    const number = known ?? this.groups.push({ ...kind, count: 0 }) - 1;
    this.numbers.set(key, number);
    return number;
  }
}

function slowKeyOf({ expectation: { pattern, schema, line } }: Waiting): unknown {
  return pattern ?? schema ?? line;
}

type Group = { -readonly [K in keyof JudgedGroup]: JudgedGroup[K] };

const passed = { kind: 'passed', check: undefined, errorType: undefined, message: '' } as const;
