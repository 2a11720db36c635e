import { compareNumbers, toNormalNumber } from '../../shared/exactNumber';
import { toStatusWord } from '../../shared/results/resultStatus';
import { hasWords } from '../answers/answerText';
import { clusterOf } from '../answers/errorClusters';
import { failedStatus, storedAnswers, storedStatuses } from '../results/resultStatus';
import { type IndexContents, outcomeOf, type TableSubject } from '../results/resultsIndexFile';
import { type Comparison, comparisons, type QueryNode, type TextTest } from './queryLanguage';
import { isDataColumn, isNumber, type ValueColumn, type ValueColumnName } from './valueColumns';

/** Returns whether a row matches, or `undefined` if the result depends on the text of the row and no text was given. */
export type RowTest = (row: number, text: string | undefined) => boolean | undefined;

/** Creates a test of index rows for a query. `columns` must include all columns in the query. */
export function toRowTest(node: QueryNode, contents: IndexContents, columns: readonly ValueColumn[] = []): RowTest {
  return new TestMaker(contents, columns).test(node);
}

/** Returns the columns in a query that are not in an index. */
export function columnsIn(node: QueryNode, subject: TableSubject): readonly ValueColumnName[] {
  return conditionsOf(node).flatMap(one => (one.kind === 'word' ? wordColumns[subject] : one.kind === 'value' ? [one.column] : []));
}

const wordColumns: Readonly<Record<TableSubject, readonly ValueColumnName[]>> = { results: ['model'], requests: ['model', 'problem'] };

/** Returns whether a query has patterns. Matching them can take any amount of time. */
export function hasPattern(node: QueryNode): boolean {
  return conditionsOf(node).some(one => 'test' in one && one.test.kind === 'pattern');
}

function conditionsOf(node: QueryNode): readonly QueryNode[] {
  switch (node.kind) {
    case 'and':
    case 'or':
      return node.parts.flatMap(conditionsOf);
    case 'not':
      return conditionsOf(node.part);
    default:
      return [node];
  }
}

class TestMaker {
  constructor(
    private readonly contents: IndexContents,
    private readonly columns: readonly ValueColumn[],
  ) {}

  test(node: QueryNode): RowTest {
    switch (node.kind) {
      case 'all':
        return () => true;
      case 'and':
        return both(node.parts.map(part => this.test(part)));
      case 'or':
        return negated(both(node.parts.map(part => negated(this.test(part)))));
      case 'not':
        return negated(this.test(node.part));
      case 'number':
        return this.number(node);
      case 'text':
        return this.text(node);
      case 'value':
        return this.value(node.column, toValueTest(node.column, node.test));
      case 'word':
        return this.word(node.test);
    }
  }

  private word(test: TextTest): RowTest {
    const fits = toTextTest(test);
    const shown = [
      this.text({ kind: 'text', field: 'id', test }),
      ...wordColumns[this.contents.subject].map(name => this.value(name, toValueTest(name, test))),
      rowWords(this.contents, fits),
    ];
    const text = this.words(fits);
    return (row, read) => shown.some(one => one(row, read) === true) || text(row, read);
  }

  /** Tests each distinct value once, however many rows have it. */
  private value(name: ValueColumnName, fits: (value: string) => boolean): RowTest {
    const column = this.columns.find(one => one.name === name);
    const matches = (column?.values ?? []).map(fits);
    return row => matches[column?.of[row] as number] ?? false;
  }

  private number({ field, ranges }: Extract<QueryNode, { kind: 'number' }>): RowTest {
    const { rows, lines } = this.contents;
    const fits = (value: number) => ranges.some(({ from, to }) => value >= from && value <= to);
    switch (field) {
      case 'line':
        // A row without a line matches no line number.
        return row => (lines[row] as number) >= 0 && fits((lines[row] as number) + 1);
      case 'in':
        return row => fits(rows.inputTokens[row] as number);
      case 'out':
        return row => fits(rows.outputTokens[row] as number);
      case 'tokens':
        return row => fits((rows.inputTokens[row] as number) + (rows.outputTokens[row] as number));
      case 'length':
        return (row, text) => {
          if (storedAnswers[rows.statuses[row] as number] !== true) {
            return fits(0);
          }
          return text === undefined ? undefined : fits(text.length);
        };
    }
  }

  private text({ field, test }: Extract<QueryNode, { kind: 'text' }>): RowTest {
    const { rows, ids, reasons } = this.contents;
    const fits = toTextTest(test);
    switch (field) {
      case 'id': {
        if (test.kind === 'whole') {
          const numbers = new Set(test.values.map(value => ids.findText(value)));
          return row => numbers.has(rows.ids[row] as number);
        }
        return row => fits(ids.text(rows.ids[row] as number));
      }
      case 'status': {
        const byStatus = storedStatuses.map(fits);
        return row => byStatus[rows.statuses[row] as number] ?? false;
      }
      case 'stop': {
        const byReason = [test.kind === 'whole' && fits('none'), ...reasons.map(fits)];
        return row => byReason[rows.stopReasons[row] as number] ?? false;
      }
      case 'error':
        return this.error(fits);
      case 'text':
        return this.words(fits);
      case 'cluster':
        return (row, text) => this.cluster(row, text, fits);
    }
  }

  private error(fits: (text: string) => boolean): RowTest {
    const { rows, reasons } = this.contents;
    const types = [false, ...reasons.map(fits)];
    return (row, text) => {
      if (rows.statuses[row] !== failedStatus) {
        return false;
      }
      return types[rows.errorTypes[row] as number] === true || (text === undefined ? undefined : fits(text));
    };
  }

  /** Tests an answer or an error message. A message is also tested with its type in front, as the table shows it. */
  private words(fits: (text: string) => boolean): RowTest {
    const { rows, reasons } = this.contents;
    const emptyMatch = fits('');
    return (row, text) => {
      if (hasWords[rows.statuses[row] as number] !== true) {
        return emptyMatch;
      }
      const type = reasons[(rows.errorTypes[row] as number) - 1];
      return text === undefined ? undefined : fits(text) || (type !== undefined && fits(`${type}: ${text}`));
    };
  }

  private cluster(row: number, text: string | undefined, fits: (key: string) => boolean): boolean | undefined {
    if (this.contents.rows.statuses[row] === failedStatus && text === undefined) {
      return undefined;
    }
    const cause = clusterOf({ ...outcomeOf(this.contents, row), message: text ?? '' });
    return cause !== undefined && fits(cause.key);
  }
}

/** Returns whether a list of names contains a wanted name. `none` matches an empty list. `any` matches every other list. */
function hasMember(list: string, wanted: ReadonlySet<string>): boolean {
  return list === '' ? wanted.has('none') : wanted.has('any') || list.split(', ').some(name => wanted.has(name));
}

function toTextTest(test: TextTest): (text: string) => boolean {
  switch (test.kind) {
    case 'whole': {
      const wanted = new Set(test.values);
      return text => wanted.has(text.toLowerCase());
    }
    case 'part':
      return text => text.toLowerCase().includes(test.lower);
    case 'pattern':
      return text => test.pattern.test(text);
  }
}

function toValueTest(column: ValueColumnName, test: TextTest | Comparison): (value: string) => boolean {
  if (test.kind === 'compares') {
    const fits = comparisons[test.operator];
    return value => isNumber(value) && test.numbers.some(than => fits(compareNumbers(value, than)));
  }
  const fits = toTextTest(test);
  if (test.kind !== 'whole') {
    return value => value !== '' && fits(value);
  }
  if (column === 'problem' || column === 'severity') {
    const wanted = new Set(test.values);
    return value => hasMember(value, wanted);
  }
  const numbers = new Set(isDataColumn(column) ? test.values.filter(isNumber).map(toNormalNumber) : []);
  return value => fits(value) || (numbers.size > 0 && isNumber(value) && numbers.has(toNormalNumber(value)));
}

function negated(test: RowTest): RowTest {
  return (row, text) => {
    const found = test(row, text);
    return found === undefined ? undefined : !found;
  };
}

function both(tests: readonly RowTest[]): RowTest {
  return (row, text) => {
    let result: boolean | undefined = true;
    for (const test of tests) {
      const found = test(row, text);
      if (found === false) {
        return false;
      }
      result = found && result;
    }
    return result;
  };
}

function rowWords({ subject, rows, reasons }: IndexContents, fits: (text: string) => boolean): (row: number) => boolean {
  if (subject === 'requests') {
    const isFine = fits(toStatusWord('fine', text => text));
    return row => isFine && rows.stopReasons[row] === 0;
  }
  const byReason = [false, ...reasons.map(fits)];
  // Tests each status as the table shows it and as a query writes it: `cut short` and `cut_short`.
  const byStatus = storedStatuses.map(status => fits(status) || fits(toStatusWord(status, text => text)));
  return row => {
    const isReason = byReason[rows.stopReasons[row] as number] === true || byReason[rows.errorTypes[row] as number] === true;
    return isReason || byStatus[rows.statuses[row] as number] === true;
  };
}
