import { lineOfDerivedId } from '../files/derivedIds';
import { IdTable } from '../files/idTable';
import type { JobContext } from '../files/jobContext';
import { maxRequestLineBytes } from '../files/lineFile';
import { textOf } from '../files/spanReader';
import { grown } from '../files/typedArrays';
import type { RuleOptions } from '../rules/ruleOptions';
import { isRefusal } from '../rules/ruleTable';
import { parseJsonLine } from '../scanning/jsonText';
import { decodeLine } from '../scanning/lineText';
import type { BatchFileReport, BatchLimits, CheckTerms } from './batchFileReport';
import {
  derivedIdTakenProblem,
  duplicateIdProblem,
  fileProblem,
  type LineRange,
  largeRequestProblem,
  limitProblems,
  lineProblem,
  toProblem,
} from './batchRules';
import { frameBytes, wrapBytes } from './bodyFrame';
import { ProblemList } from './problemList';
import { type PassResult, passOver } from './requestPass';
import { type RequestPlan, RequestPlanBuilder } from './requestPlan';
import { checkRequestLine } from './requestRules';
import type { ByteRange, VisitedLine } from './visitedLine';

/** Default numbers of listed problems. Locating one takes as long as checking many lines. */
const usualProblems = { most: 1000, maxOfRule: 10 };

/** Report of a check, with the plan that locates the requests in the file. */
export interface CheckedBatchFile {
  readonly report: BatchFileReport;
  readonly plan: RequestPlan;
}

/** Checks a whole request file in one pass. Memory grows only with the number of requests and the longest line. */
export async function checkBatchFile(path: string, terms: CheckTerms, context: JobContext): Promise<CheckedBatchFile> {
  const check = new BatchFileCheck(terms);
  const plan = new RequestPlanBuilder();
  const visit = (line: VisitedLine) => {
    plan.add(line);
    check.visit(line);
  };
  const result = await passOver(path, context, visit, terms.rules);
  return { report: check.report(result, plan.usedModels()), plan: plan.build(result.file, result.crc32) };
}

class BatchFileCheck {
  private readonly problems: ProblemList;
  private readonly limits: BatchLimits;
  private readonly rules: RuleOptions;
  private readonly ids = IdTable.sized(1 << 12, 1 << 16);
  /** Line, start column and end column of the first use of each id. */
  private firstUses = new Int32Array(3 << 12);
  private readonly bareLines = new Set<number>();
  private readonly secondUses = new Map<number, number>();
  private requests = 0;
  private bare = 0;
  private bytes = 0;
  private invalid = 0;
  private unjoinable = 0;
  private refused = 0;

  constructor({ limits, rules, mostProblems }: CheckTerms) {
    this.limits = limits;
    this.rules = rules;
    const listed = mostProblems === undefined ? usualProblems : { most: mostProblems, maxOfRule: mostProblems };
    this.problems = new ProblemList(listed, rules);
  }

  visit(line: VisitedLine): void {
    if (line.kind === 'invalid') {
      this.invalid++;
    }
    if (line.isTooLong) {
      const template = 'This line is longer than {0} bytes.';
      this.problems.add(fileProblem('line-too-long', { template, args: [maxRequestLineBytes] }, line.line));
      return;
    }
    if (line.invalidAt !== undefined) {
      const text = { template: 'Save the file as UTF-8.', args: [] };
      this.problems.add(toProblem('not-utf8', { line: line.line, start: line.invalidAt, end: line.invalidAt + 1 }, text, []));
      return;
    }
    this.addProblems(line);
    switch (line.kind) {
      case 'blank':
        this.problems.add(lineProblem('blank-line', line.line));
        break;
      case 'request':
        this.requests++;
        this.addBytes(line, false);
        this.addId(line);
        break;
      case 'params':
        this.requests++;
        this.bare++;
        this.bareLines.add(line.line);
        this.addBytes(line, true);
        break;
      case 'invalid':
        break;
    }
  }

  report(result: PassResult, models: BatchFileReport['models']): BatchFileReport {
    const bodyBytes = frameBytes(this.requests) + this.bytes;
    this.addFirstUses();
    this.addTakenIds();
    this.addNotes(result);
    for (const problem of limitProblems(this.requests, bodyBytes, this.limits)) {
      this.problems.add(problem);
    }
    return {
      fileBytes: result.fileBytes,
      sha256: result.sha256,
      lineCount: result.lineCount,
      requestCount: this.requests,
      bareCount: this.bare,
      bodyBytes,
      models,
      problems: this.problems.list(),
      problemCounts: this.problems.counts,
      ruleCounts: this.problems.ruleCounts(),
      invalidCount: this.invalid,
      unjoinableCount: this.unjoinable,
      refusedCount: this.refused,
    };
  }

  private addProblems(line: VisitedLine): void {
    const { noted } = line;
    if (noted.length > 0 && (line.kind === 'request' || line.kind === 'params') && noted.some(isRefusal)) {
      this.refused++;
    }
    const isCounted = line.checked === undefined && (noted.length === 0 || this.problems.countUnkept(noted, line.line));
    if (!isCounted) {
      for (const problem of (line.checked ?? checkRequestLine(textOf(line), line.line, this.rules)).problems) {
        this.problems.add(problem);
      }
    }
  }

  private addBytes(line: VisitedLine, isBare: boolean): void {
    const bytes = line.valueEnd - line.valueStart;
    this.bytes += bytes + (isBare ? wrapBytes(line.line) : 0);
    const problem = largeRequestProblem(line.line, bytes, isBare, this.limits);
    if (problem !== undefined) {
      this.problems.add(problem);
    }
  }

  private addId(line: VisitedLine): void {
    const { id } = line;
    const isEmpty = id === undefined || id.start === id.end;
    this.unjoinable += isEmpty ? 1 : 0;
    if (id === undefined) {
      return;
    }
    const known = this.ids.size;
    const index = this.ids.add(id.bytes, id.start, id.end);
    if (index === known) {
      if (index * 3 === this.firstUses.length) {
        this.firstUses = grown(this.firstUses, new Int32Array(index * 6));
      }
      const [start, end] = columnsOfId(line, id);
      this.firstUses[index * 3] = line.line;
      this.firstUses[index * 3 + 1] = start;
      this.firstUses[index * 3 + 2] = end;
      return;
    }
    if (!this.secondUses.has(index)) {
      this.secondUses.set(index, line.line);
    }
    this.unjoinable += isEmpty ? 0 : 1;
    const [from, to] = columnsOfId(line, id);
    this.problems.add(
      duplicateIdProblem({ line: line.line, start: from, end: to }, this.ids.text(index), this.firstUse(index).line, false),
    );
  }

  private firstUse(index: number): LineRange {
    const [line = 0, start = 0, end = 0] = this.firstUses.subarray(index * 3);
    return { line, start, end };
  }

  private addFirstUses(): void {
    for (const [index, second] of this.secondUses) {
      this.problems.add(duplicateIdProblem(this.firstUse(index), this.ids.text(index), second, true));
    }
  }

  private addTakenIds(): void {
    if (this.bare === 0) {
      return;
    }
    const { allBytes } = this.ids;
    for (let index = 0; index < this.ids.size; index++) {
      const start = this.ids.startOf(index);
      // Quick test for the prefix `line-`.
      if (allBytes[start] === 0x6c && allBytes[start + 4] === 0x2d) {
        const text = this.ids.text(index);
        const bareLine = lineOfDerivedId(text);
        if (bareLine !== undefined && this.bareLines.has(bareLine)) {
          this.unjoinable++;
          this.problems.add(derivedIdTakenProblem(this.firstUse(index), text, bareLine));
        }
      }
    }
  }

  private addNotes(result: PassResult): void {
    if (result.hasByteOrderMark) {
      this.problems.add(lineProblem('byte-order-mark', 0));
    }
    if (result.firstCarriageReturn >= 0) {
      this.problems.add(lineProblem('carriage-returns', result.firstCarriageReturn));
    }
    if (!result.endsWithNewline) {
      this.problems.add(lineProblem('no-last-newline', Math.max(0, result.lineCount - 1)));
    }
  }
}

/** Returns the range of the `custom_id` value in a line, in UTF-16 columns. */
function columnsOfId(line: VisitedLine, id: ByteRange): readonly [start: number, end: number] {
  if (line.checked !== undefined) {
    const node = parseJsonLine(decodeLine(line.bytes.subarray(line.start, line.end)).text).root?.children?.get('custom_id');
    return [node?.start ?? 0, node?.end ?? 0];
  }
  const offset = id.start - 1 - line.start;
  // Everything before this offset is `{"custom_id":` in ASCII, so bytes are columns.
  const start = offset < 16 ? offset : columnsIn(line.bytes, line.start, id.start - 1);
  return [start, start + columnsIn(line.bytes, id.start, id.end) + 2];
}

/** Counts the UTF-16 columns of the text in [start, end), which is mostly ASCII. */
function columnsIn(bytes: Uint8Array, start: number, end: number): number {
  for (let at = start; at < end; at++) {
    if ((bytes[at] ?? 0) >= 0x80) {
      return textOf({ bytes, start, end }).length;
    }
  }
  return end - start;
}
