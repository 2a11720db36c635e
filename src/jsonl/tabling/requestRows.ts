import { type Severity, severityOrder } from '../../contract/problem';
import type { CheckTerms } from '../checking/batchFileReport';
import { largeRequestProblem } from '../checking/batchRules';
import { sentIdOf, type VisitedLine } from '../checking/visitedLine';
import { IdTable } from '../files/idTable';
import { sharedWords } from '../files/typedArrays';
import { TextNumbers, type ValueColumn } from '../querying/valueColumns';
import { toStored } from '../results/resultStatus';
import { addRow, createRows, none } from '../results/resultsFile';
import { severityOf } from '../rules/ruleOptions';
import type { RuleId } from '../rules/ruleTable';

/** Status of all rows. Like an answer, every row has a text. */
const hasWords = toStored('succeeded');
const longestModel = 200;

interface Found {
  readonly rule: string;
  readonly severity: Severity;
}

interface IdUse {
  readonly first: number;
  /** True if the id would be derived for a row without an id. */
  given: number;
  /** True if the id would be derived for a row without one. */
  isDerived: boolean;
  isUsedAgain: boolean;
}

/** Collects the rows of a request file during a pass. Every line that is not blank is a row. */
export class RequestRows {
  readonly rows = createRows(1 << 10);
  readonly ids = new IdTable();
  private readonly lines: number[] = [];
  private readonly modelOf: number[] = [];
  private readonly problemsOf: number[] = [];
  private readonly uses: IdUse[] = [];
  private readonly models = new IdTable();
  /** Sets of problems as texts. Each text has a line `severity rule` per problem, most severe first. */
  private readonly sets = new TextNumbers();

  constructor(private readonly terms: CheckTerms) {
    this.models.addText('');
  }

  add(line: VisitedLine): void {
    if (line.kind === 'blank' && !line.isTooLong) {
      return;
    }
    const { rows } = this;
    const row = addRow(rows);
    rows.offsets[row] = line.fileOffset + line.start;
    rows.lengths[row] = line.isTooLong ? 0 : line.end - line.start;
    rows.statuses[row] = hasWords;
    rows.texts[row] = none;
    this.lines[row] = line.line;
    this.modelOf[row] = this.modelIn(line);
    this.problemsOf[row] = this.sets.of(toSet(this.foundIn(line)));
    this.addId(row, line);
  }

  lineNumbers(): Int32Array {
    return Int32Array.from(this.lines);
  }

  /** Returns the first row of each id. */
  rowOfId(): Uint32Array {
    return Uint32Array.from(this.uses, ({ first }) => first);
  }

  /** Marks each row with the index of its highest severity plus 1. Returns the columns. Call it once, at the end. */
  finish(): readonly ValueColumn[] {
    const problems = new TextNumbers();
    const severities = new TextNumbers();
    const sets = this.sets.values.map(text => {
      const found = inSet(text);
      const worst = found[0]?.severity;
      const problem = problems.of(found.map(({ rule }) => rule).join(', '));
      return { problem, severity: severities.of(worst ?? ''), mark: worst === undefined ? 0 : severityOrder.indexOf(worst) + 1 };
    });
    const setOf = (row: number) => sets[this.problemsOf[row] as number];
    this.rows.stopReasons = Uint32Array.from(this.lines, (_, row) => setOf(row)?.mark ?? 0);
    const column = (name: ValueColumn['name'], values: readonly string[], numberOf: (row: number) => number | undefined): ValueColumn => {
      const of = sharedWords(this.lines.length);
      of.set(this.lines.map((_, row) => numberOf(row) ?? 0));
      return { name, values, of };
    };
    const models = this.models.texts().map(text => text.slice(0, longestModel));
    return [
      column('model', models, row => this.modelOf[row]),
      column('problem', problems.values, row => setOf(row)?.problem),
      column('severity', severities.values, row => setOf(row)?.severity),
    ];
  }

  /** Returns the number of rows with an error, and with a warning but no error. Must be called after `finish`. */
  troubled(): { readonly withErrors: number; readonly withWarnings: number } {
    const countOf = (severity: Severity) => this.rows.stopReasons.filter(mark => mark === severityOrder.indexOf(severity) + 1).length;
    return { withErrors: countOf('error'), withWarnings: countOf('warning') };
  }

  private modelIn({ kind, model }: VisitedLine): number {
    if (kind !== 'request' && kind !== 'params') {
      return 0;
    }
    return model === undefined ? 0 : this.models.add(model.bytes, model.start, model.end);
  }

  private foundIn(line: VisitedLine): readonly Found[] {
    if (line.isTooLong) {
      return this.judged('line-too-long');
    }
    if (line.invalidAt !== undefined) {
      return this.judged('not-utf8');
    }
    const isRequest = line.kind === 'request' || line.kind === 'params';
    const tooLarge = isRequest
      ? largeRequestProblem(line.line, line.valueEnd - line.valueStart, line.kind === 'params', this.terms.limits)
      : undefined;
    return tooLarge === undefined ? line.noted : [...line.noted, ...this.judged('request-too-large')];
  }

  private judged(rule: RuleId): readonly Found[] {
    const severity = severityOf(rule, 'error', this.terms.rules);
    return severity === undefined ? [] : [{ rule, severity }];
  }

  private addId(row: number, line: VisitedLine): void {
    const isDerived = line.kind === 'params';
    const { bytes, start, end } = sentIdOf(line);
    const id = line.kind === 'invalid' ? this.ids.add(bytes, 0, 0) : this.ids.add(bytes, start, end);
    this.rows.ids[row] = id;
    this.uses[id] ??= { first: row, given: -1, isDerived: false, isUsedAgain: false };
    if (line.kind !== 'invalid' && end > start) {
      this.addUse(this.uses[id], row, isDerived);
    }
  }

  /** Adds the use of an id. Reports the same problems as a check of the whole file. */
  private addUse(use: IdUse, row: number, isDerived: boolean): void {
    if (isDerived || use.given < 0) {
      use.isDerived ||= isDerived;
      use.given = isDerived ? use.given : row;
      if (use.isDerived && use.given >= 0) {
        this.addProblem(use.given, 'made-id-taken');
      }
      return;
    }
    this.addProblem(row, 'duplicate-id');
    if (!use.isUsedAgain) {
      use.isUsedAgain = true;
      this.addProblem(use.given, 'duplicate-id');
    }
  }

  private addProblem(row: number, rule: RuleId): void {
    const found = inSet(this.sets.values[this.problemsOf[row] as number] ?? '');
    this.problemsOf[row] = this.sets.of(toSet([...found, ...this.judged(rule)]));
  }
}

function toSet(found: readonly Found[]): string {
  const sorted = [...found].sort((a, b) => severityOrder.indexOf(a.severity) - severityOrder.indexOf(b.severity));
  return [...new Set(sorted.map(({ rule, severity }) => `${severity} ${rule}`))].join('\n');
}

function inSet(set: string): readonly Found[] {
  return (set === '' ? [] : set.split('\n')).map(line => {
    const [severity = '', rule = ''] = line.split(' ');
    return { severity: severity as Severity, rule };
  });
}
