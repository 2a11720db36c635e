import { compareNumbers, toNormalNumber } from '../../shared/exactNumber';
import { toMarkWord, toStatusWord } from '../../shared/results/resultStatus';
import { hasWords } from '../answers/answerText';
import { clusterOf } from '../answers/errorClusters';
import { storedAnswers, storedStatuses, toStored } from '../results/resultStatus';
import { type IndexContents, outcomeOf, type TableSubject } from '../results/resultsIndexFile';
import { comparisons, type QueryNode, type TextPattern } from './queryLanguage';
import { isDataColumn, isNumber, type ValueColumn, type ValueColumnName } from './valueColumns';

/** Result of testing a row: matches, doesn't match, or depends on the text, which has to be read. */
export enum Match {
  No,
  Yes,
  Unread,
}

/** Words of a row, with a lazily computed lower-case form. */
export class RowText {
  private small: string | undefined;

  constructor(readonly text: string) {}

  get lower(): string {
    this.small ??= this.text.toLowerCase();
    return this.small;
  }
}

/** Returns whether a row matches. Without its text, the result can be `Unread`. */
export type RowTest = (row: number, text: RowText | undefined) => Match;

const failedStatus = toStored('failed');

/** Creates a test of index rows for a query. `columns` must include all columns in the query. */
export function toRowTest(node: QueryNode, contents: IndexContents, columns: readonly ValueColumn[] = []): RowTest {
  return new TestMaker(contents, columns).test(node);
}

/** Returns the columns in a query that are not in an index. */
export function columnsIn(node: QueryNode, subject: TableSubject): readonly ValueColumnName[] {
  switch (node.kind) {
    case 'and':
    case 'or':
      return node.parts.flatMap(part => columnsIn(part, subject));
    case 'not':
      return columnsIn(node.part, subject);
    case 'word':
      return wordColumns[subject];
    case 'value':
    case 'valueContains':
    case 'valueCompares':
      return [node.column];
    default:
      return [];
  }
}

const wordColumns: Readonly<Record<TableSubject, readonly ValueColumnName[]>> = { results: ['model'], requests: ['model', 'problem'] };

/** Returns whether a query has patterns, which can take any amount of time. */
export function hasPattern(node: QueryNode): boolean {
  switch (node.kind) {
    case 'and':
    case 'or':
      return node.parts.some(hasPattern);
    case 'not':
      return hasPattern(node.part);
    case 'contains':
    case 'valueContains':
    case 'word':
      return node.pattern.kind === 'pattern';
    default:
      return false;
  }
}

class TestMaker {
  private smallIds: ((row: number) => string) | undefined;

  constructor(
    private readonly contents: IndexContents,
    private readonly columns: readonly ValueColumn[],
  ) {}

  test(node: QueryNode): RowTest {
    switch (node.kind) {
      case 'all':
        return () => Match.Yes;
      case 'and':
        return both(node.parts.map(part => this.test(part)));
      case 'or':
        return negated(both(node.parts.map(part => negated(this.test(part)))));
      case 'not':
        return negated(this.test(node.part));
      case 'number':
        return this.number(node);
      case 'equals':
        return this.equals(node);
      case 'contains':
        return this.contains(node);
      case 'value': {
        const wanted = new Set(node.values);
        const numbers = new Set(isDataColumn(node.column) ? node.values.filter(isNumber).map(toNormalNumber) : []);
        return node.column === 'problem' || node.column === 'severity'
          ? this.value(node.column, value => hasMember(value, wanted))
          : this.value(
              node.column,
              value => wanted.has(value.toLowerCase()) || (numbers.size > 0 && isNumber(value) && numbers.has(toNormalNumber(value))),
            );
      }
      case 'valueContains': {
        const fits = toTextTest(node.pattern);
        return this.value(node.column, value => value !== '' && fits(new RowText(value)));
      }
      case 'valueCompares': {
        const fits = comparisons[node.operator];
        return this.value(node.column, value => isNumber(value) && node.numbers.some(than => fits(compareNumbers(value, than))));
      }
      case 'word':
        return this.word(node.pattern);
    }
  }

  private word(pattern: TextPattern): RowTest {
    const { contents } = this;
    const fits = toTextTest(pattern);
    const words = rowWords(contents, text => fits(new RowText(text)));
    const shown = [
      this.contains({ kind: 'contains', field: 'id', pattern }),
      ...wordColumns[contents.subject].map(name => this.value(name, value => value !== '' && fits(new RowText(value)))),
      (row: number) => matchOf(words(row)),
    ];
    const text = this.contains({ kind: 'contains', field: 'text', pattern });
    return (row, read) => (shown.some(test => test(row, read) === Match.Yes) ? Match.Yes : text(row, read));
  }

  /** Tests each distinct value once, however many rows have it. */
  private value(name: ValueColumnName, fits: (value: string) => boolean): RowTest {
    const column = this.columns.find(one => one.name === name);
    const matches = (column?.values ?? []).map(value => matchOf(fits(value)));
    return row => matches[column?.of[row] as number] ?? Match.No;
  }

  private number({ field, ranges }: Extract<QueryNode, { kind: 'number' }>): RowTest {
    const { rows, lines } = this.contents;
    const fits = (value: number) => matchOf(ranges.some(({ from, to }) => value >= from && value <= to));
    switch (field) {
      case 'line':
        // A row without a line matches no line number.
        return row => ((lines[row] as number) < 0 ? Match.No : fits((lines[row] as number) + 1));
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
          return text === undefined ? Match.Unread : fits(text.text.length);
        };
    }
  }

  private equals({ field, values }: Extract<QueryNode, { kind: 'equals' }>): RowTest {
    const { rows, ids, reasons } = this.contents;
    const wanted = new Set(values);
    switch (field) {
      case 'id': {
        const numbers = new Set(values.map(value => ids.findText(value)));
        return row => matchOf(numbers.has(rows.ids[row] as number));
      }
      case 'status': {
        const fits = storedStatuses.map(status => matchOf(wanted.has(status)));
        return row => fits[rows.statuses[row] as number] ?? Match.No;
      }
      case 'stop': {
        const fits = [matchOf(wanted.has('none')), ...reasons.map(reason => matchOf(wanted.has(reason.toLowerCase())))];
        return row => fits[rows.stopReasons[row] as number] ?? Match.No;
      }
      case 'error':
        return this.error(
          type => wanted.has(type.toLowerCase()),
          text => wanted.has(text.lower),
        );
      case 'text':
        return this.text(text => wanted.has(text.lower));
      case 'cluster':
        return (row, text) => this.cluster(row, text, key => wanted.has(key));
    }
  }

  private contains({ field, pattern }: Extract<QueryNode, { kind: 'contains' }>): RowTest {
    const { rows, reasons } = this.contents;
    const fits = toTextTest(pattern);
    switch (field) {
      case 'id': {
        if (pattern.kind === 'part') {
          const small = this.lowerIds();
          return row => matchOf(small(row).includes(pattern.lower));
        }
        return row => matchOf(pattern.pattern.test(this.contents.ids.text(rows.ids[row] as number)));
      }
      case 'stop': {
        const byReason = ['', ...reasons].map(reason => matchOf(reason !== '' && fits(new RowText(reason))));
        return row => byReason[rows.stopReasons[row] as number] ?? Match.No;
      }
      case 'error':
        return this.error(type => fits(new RowText(type)), fits);
      case 'text':
        return this.text(fits);
      case 'cluster':
        return (row, text) => this.cluster(row, text, key => fits(new RowText(key)));
    }
  }

  private error(typeFits: (type: string) => boolean, messageFits: (message: RowText) => boolean): RowTest {
    const { rows, reasons } = this.contents;
    const types = [false, ...reasons.map(typeFits)];
    return (row, text) => {
      if (rows.statuses[row] !== failedStatus) {
        return Match.No;
      }
      if (types[rows.errorTypes[row] as number] === true) {
        return Match.Yes;
      }
      return text === undefined ? Match.Unread : matchOf(messageFits(text));
    };
  }

  /** Tests an answer or an error message. A message is also tested with its type in front, as the table shows it. */
  private text(fits: (text: RowText) => boolean): RowTest {
    const { rows, reasons } = this.contents;
    const emptyMatch = matchOf(fits(new RowText('')));
    const errorFits = (row: number, { text }: RowText): boolean => {
      const type = reasons[(rows.errorTypes[row] as number) - 1];
      return type !== undefined && fits(new RowText(`${type}: ${text}`));
    };
    return (row, text) => {
      if (hasWords[rows.statuses[row] as number] !== true) {
        return emptyMatch;
      }
      return text === undefined ? Match.Unread : matchOf(fits(text) || errorFits(row, text));
    };
  }

  private cluster(row: number, text: RowText | undefined, fits: (key: string) => boolean): Match {
    if (this.contents.rows.statuses[row] === failedStatus && text === undefined) {
      return Match.Unread;
    }
    const cause = clusterOf({ ...outcomeOf(this.contents, row), message: text?.text ?? '' });
    return matchOf(cause !== undefined && fits(cause.key));
  }

  /** Returns a function from a row to its id in lower case. If all ids are ASCII, the ids are cheap slices of one string. */
  private lowerIds(): (row: number) => string {
    if (this.smallIds === undefined) {
      const { rows, ids } = this.contents;
      const bytes = ids.allBytes.subarray(0, ids.size === 0 ? 0 : ids.endOf(ids.size - 1));
      const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8').toLowerCase();
      this.smallIds =
        all.length === bytes.length && !/[^\0-\x7f]/.test(all)
          ? row => all.slice(ids.startOf(rows.ids[row] as number), ids.endOf(rows.ids[row] as number))
          : row => ids.text(rows.ids[row] as number).toLowerCase();
    }
    return this.smallIds;
  }
}

/** Returns whether a list of names contains a wanted one. `none` matches an empty list, and `any` every other list. */
function hasMember(list: string, wanted: ReadonlySet<string>): boolean {
  return list === '' ? wanted.has('none') : wanted.has('any') || list.split(', ').some(name => wanted.has(name));
}

function toTextTest(pattern: TextPattern): (text: RowText) => boolean {
  return pattern.kind === 'part' ? text => text.lower.includes(pattern.lower) : text => pattern.pattern.test(text.text);
}

function matchOf(fits: boolean): Match {
  return fits ? Match.Yes : Match.No;
}

function negated(test: RowTest): RowTest {
  return (row, text) => {
    const found = test(row, text);
    return found === Match.Unread ? found : matchOf(found === Match.No);
  };
}

function both(tests: readonly RowTest[]): RowTest {
  return (row, text) => {
    let result = Match.Yes;
    for (const test of tests) {
      const found = test(row, text);
      if (found === Match.No) {
        return found;
      }
      if (found === Match.Unread) {
        result = found;
      }
    }
    return result;
  };
}

function rowWords({ subject, rows, reasons }: IndexContents, fits: (text: string) => boolean): (row: number) => boolean {
  if (subject === 'requests') {
    const isFine = fits(toMarkWord('fine', text => text));
    return row => isFine && rows.stopReasons[row] === 0;
  }
  const byReason = [false, ...reasons.map(fits)];
  // Tests both forms, as the table shows them and as a query writes them: `cut short` and `cut_short`.
  const byStatus = storedStatuses.map(status => fits(status) || fits(toStatusWord(status, text => text)));
  return row => {
    const isReason = byReason[rows.stopReasons[row] as number] === true || byReason[rows.errorTypes[row] as number] === true;
    return isReason || byStatus[rows.statuses[row] as number] === true;
  };
}
