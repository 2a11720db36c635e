import { existsSync } from 'node:fs';
import { forEachTextLine } from '../files/lineFile';
import { combineExpectations, type Expectation, parseExpectation } from './expectation';
import type { ExpectationProblem } from './expectingJobs';

/** Maximum number of problems to report. Further ones are only counted. */
const mostProblems = 100;

/** Contents of an expectations file: expectations of all answers, and of those by id. */
export class Expectations {
  private readonly own = new Map<string, Expectation>();
  private readonly combined = new Map<Expectation, Expectation>();
  private readonly unusable = new Set<number>();
  private readonly listed: ExpectationProblem[] = [];
  private all: Expectation | undefined;
  /** Number of problems beyond those in `problems`. */
  furtherProblems = 0;

  /** Reads a file. A missing file has no expectations. Blocks the thread, so only for workers. */
  static read(path: string | undefined, throwIfAborted: () => void): Expectations {
    const expectations = new Expectations();
    if (path !== undefined && existsSync(path)) {
      forEachTextLine(path, (text, line) => expectations.add(text, line), throwIfAborted);
    }
    return expectations;
  }

  get problems(): readonly ExpectationProblem[] {
    return this.listed;
  }

  /** True if there are no expectations. */
  get isEmpty(): boolean {
    return this.all === undefined && this.own.size === 0;
  }

  /** Returns the expectation of the answer to a request. */
  of(customId: string): Expectation | undefined {
    const own = this.own.get(customId);
    if (own === undefined || this.all === undefined) {
      return own ?? this.all;
    }
    let combined = this.combined.get(own);
    if (combined === undefined) {
      combined = combineExpectations(this.all, own) ?? own;
      this.combined.set(own, combined);
    }
    return combined;
  }

  /** Returns whether an expectation and that of all answers are both valid. */
  isUsable({ line }: Expectation): boolean {
    return !this.unusable.has(line) && (this.all === undefined || !this.unusable.has(this.all.line));
  }

  /** Reports ids that no request has. */
  tellUnknown(isKnown: (customId: string) => boolean): void {
    for (const [customId, { line }] of this.own) {
      if (!isKnown(customId)) {
        this.tell({ line, code: 'no-such-id', name: customId });
      }
    }
  }

  tell(problem: ExpectationProblem): void {
    if (this.listed.length < mostProblems) {
      this.listed.push(problem);
    } else {
      this.furtherProblems++;
    }
  }

  private add(text: string, line: number): void {
    const { expectation, problems } = parseExpectation(text, line);
    for (const problem of problems) {
      this.tell(problem);
    }
    if (expectation === undefined) {
      return;
    }
    if (problems.length > 0) {
      this.unusable.add(line);
    }
    const { customId } = expectation;
    if (customId === undefined ? this.all !== undefined : this.own.has(customId)) {
      this.tell({ line, code: 'twice', name: customId ?? '' });
    } else if (customId === undefined) {
      this.all = expectation;
    } else {
      this.own.set(customId, expectation);
    }
  }
}
