import type { ProblemText } from '../../contract/problem';
import { type QuickLine, QuickLineCheck } from '../checking/quickLineCheck';
import { checkRequestLine } from '../checking/requestRules';
import { type BlockWriter, writeWholeFiles } from '../files/blockWriter';
import { IdTable } from '../files/idTable';
import type { PassContext } from '../files/lineFile';
import type { RuleOptions } from '../rules/ruleOptions';
import { RequestBuilder, RowMismatch } from './requestBuilder';
import { findTemplateErrors, parseTemplate } from './requestTemplate';
import { forEachRow } from './rowsFormat';
import { type BuildReport, ProblemGroups, type Row, type RowProblem, type RowsFormat } from './rowsReport';

export interface BuildSource {
  readonly rowsPath: string;
  readonly format: RowsFormat;
  readonly columns: readonly string[];
  readonly template: string;
  readonly rules: RuleOptions;
  /** Path of the request file. Without a path, requests are only built and checked. */
  readonly outPath?: string;
}

const noText: ProblemText = { template: '', args: [] };

/**
 * Builds a request from each row and checks it by the rules. With `outPath`, writes the requests there, one per line, completely or not at
 * all. Rows that lack required values are left out and reported. Memory grows only with the number of ids. Throws if the template has
 * errors. Blocks the thread, so only for workers.
 */
export async function buildRequests(source: BuildSource, context: PassContext): Promise<BuildReport> {
  const template = parseTemplate(source.template);
  if (findTemplateErrors(template, source.columns).length > 0) {
    throw new Error('The template has errors. Nothing was built.');
  }
  const builder = new RequestBuilder(template, source.columns);
  const { outPath } = source;
  if (outPath === undefined) {
    return buildAll(source, builder, undefined, context);
  }
  return await writeWholeFiles(context, async files => {
    const out = await files.create(outPath);
    const report = buildAll(source, builder, out, context);
    if (report.stop !== undefined) {
      await files.drop(out);
    }
    return report;
  });
}

function buildAll(source: BuildSource, builder: RequestBuilder, out: BlockWriter | undefined, context: PassContext): BuildReport {
  const built = new BuiltLines(builder, source.rules, out);
  const onProblem = (problem: RowProblem) => built.addRowProblem(problem);
  const { stop } = forEachRow(source.rowsPath, source.format, context, row => built.add(row), onProblem);
  return { ...built.report(), stop };
}

class BuiltLines {
  private readonly groups = new ProblemGroups();
  private readonly check: QuickLineCheck;
  private readonly ids = new IdTable();
  private readonly rowOfId: number[] = [];
  private rowCount = 0;
  private skippedRows = 0;
  private requestCount = 0;
  private badRequests = 0;
  private dryBytes = 0;

  constructor(
    private readonly builder: RequestBuilder,
    private readonly rules: RuleOptions,
    private readonly out: BlockWriter | undefined,
  ) {
    this.check = new QuickLineCheck(rules);
  }

  add(row: Row): void {
    this.rowCount++;
    let text: string;
    try {
      text = this.builder.build(row);
    } catch (error) {
      if (!(error instanceof RowMismatch)) {
        throw error;
      }
      this.skippedRows++;
      this.groups.add('error', `mismatch ${error.text.template} ${error.text.args[0]}`, error.text, row.number, row.line);
      return;
    }
    this.requestCount++;
    const checked = this.check.checkQuickly(text, this.requestCount - 1);
    const isBad = this.addProblems(checked, text, row);
    if (this.addId(checked.customId, row) || isBad) {
      this.badRequests++;
    }
    if (this.out === undefined) {
      this.dryBytes += Buffer.byteLength(text) + 1;
    } else {
      this.out.addText(`${text}\n`);
    }
  }

  /** Reports a row that can't be read. No request is built from it. */
  addRowProblem({ severity, text, row, line }: RowProblem): void {
    if (severity === 'error') {
      this.rowCount++;
      this.skippedRows++;
    }
    this.groups.add(severity, `row ${text.template}`, text, row, line);
  }

  report(): Omit<BuildReport, 'stop'> {
    const { rowCount, requestCount, skippedRows, badRequests } = this;
    const bytes = this.out?.byteLength ?? this.dryBytes;
    return { rowCount, requestCount, skippedRows, badRequests, bytes, problems: this.groups.list() };
  }

  /** Adds the problems of a line. Returns whether any of them is an error. */
  private addProblems({ noted, problems }: QuickLine, text: string, row: Row): boolean {
    if (problems === undefined && noted.every(({ rule }) => this.groups.has(rule))) {
      // Each of these rules already has a problem with a text in the list, so only the counts change.
      for (const { rule, severity } of noted) {
        this.groups.add(severity, rule, noText, row.number, row.line);
      }
    } else {
      for (const problem of problems ?? checkRequestLine(text, this.requestCount - 1, this.rules).problems) {
        const path = problem.path.filter(step => typeof step === 'string').join('.');
        const kind = problems === undefined ? problem.rule : `${problem.rule} ${path} ${problem.text.template}`;
        this.groups.add(problem.severity, kind, problem.text, row.number, row.line);
      }
    }
    return noted.some(({ severity }) => severity === 'error');
  }

  /** Records an id. If an earlier row has the same id, reports a problem and returns true. */
  private addId(id: string | undefined, row: Row): boolean {
    if (id === undefined) {
      return false;
    }
    const number = this.ids.addText(id);
    const first = this.rowOfId[number];
    if (first === undefined) {
      this.rowOfId[number] = row.number;
      return false;
    }
    const text = { template: 'Duplicate ID {0} (also in row {1}).', args: [id, first] };
    this.groups.add('error', 'duplicate-id', text, row.number, row.line);
    return true;
  }
}
