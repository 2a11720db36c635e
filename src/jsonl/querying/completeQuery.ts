import type { ProblemText } from '../../contract/problem';
import type { TableSubject } from '../results/resultsIndexFile';
import { type FieldRule, fieldOf, fieldsBySubject, operatorsOf, type QueryField, type QueryOperator } from './queryLanguage';
import { type QueryToken, readTokens } from './readTokens';

interface QueryOffer {
  readonly kind: 'field' | 'operator' | 'value' | 'word';
  /** Text that replaces the range from `start` to `end` of the completions. */
  readonly text: string;
  readonly about?: ProblemText;
}

interface QueryOffers {
  readonly start: number;
  readonly end: number;
  /** Offers that match the typed text, most used first. */
  readonly offers: readonly QueryOffer[];
}

/** Values that occur in the results, by field, sorted by frequency. */
export type KnownValues = Partial<Readonly<Record<QueryField, readonly string[]>>>;

const operatorMeanings: Readonly<Record<QueryOperator, string>> = {
  '=': 'is',
  '!=': 'is not',
  '~': 'contains or matches',
  '!~': 'does not contain',
  '>': 'is more than',
  '>=': 'is at least',
  '<': 'is less than',
  '<=': 'is at most',
};

/** Returns completions at a position of a query: fields, operators, values and the words between conditions. */
export function completeQuery(text: string, cursor: number, known: KnownValues = {}, subject: TableSubject = 'results'): QueryOffers {
  // The last token is the one being typed, even if it is incomplete.
  const tokens = readTokens(text.slice(0, cursor), subject);
  const last = tokens.at(-1);
  const current = last !== undefined && last.end === cursor && (last.kind === 'word' || last.kind === 'quoted') ? last : undefined;
  const before = current === undefined ? tokens : tokens.slice(0, -1);
  const previous = before.at(-1);
  const start = current?.start ?? cursor;
  const written = (current?.text ?? '').toLowerCase();
  const at = (offers: readonly QueryOffer[]): QueryOffers => ({
    start,
    end: cursor,
    offers: offers.filter(({ text }) => text.replace(/^"/, '').toLowerCase().startsWith(written)),
  });
  const field = valueFieldOf(before, subject);
  if (field !== undefined) {
    return at(toValues(field, known));
  }
  if (current?.kind === 'quoted') {
    return at([]);
  }
  if (current === undefined && previous?.kind === 'word' && isConditionStart(before)) {
    const named = fieldOf(previous.text, subject);
    if (named !== undefined) {
      return at(toOperators(named));
    }
  }
  const exact = current === undefined ? undefined : fieldOf(current.text, subject);
  if (exact !== undefined && isConditionStart(tokens)) {
    return { start: cursor, end: cursor, offers: toOperators(exact) };
  }
  const fields = fieldsBySubject[subject].map(({ name, about }): QueryOffer => ({ kind: 'field', text: name, about }));
  const words = endsCondition(before) ? ['and', 'or', 'not'] : ['not'];
  const offered = [...fields, ...words.map((word): QueryOffer => ({ kind: 'word', text: word }))];
  return at(endsCondition(before) && current === undefined ? [...offered.filter(({ kind }) => kind === 'word'), ...fields] : offered);
}

function toOperators({ kind }: FieldRule): readonly QueryOffer[] {
  return operatorsOf[kind].map(operator => ({
    kind: 'operator',
    text: operator,
    about: { template: operatorMeanings[operator], args: [] },
  }));
}

function toValues(field: FieldRule, known: KnownValues): readonly QueryOffer[] {
  const values = new Set([...(known[field.name] ?? []), ...(field.values ?? [])]);
  return [...values].map(value => ({ kind: 'value', text: /^[\w.-]+$/.test(value) ? value : JSON.stringify(value) }));
}

function valueFieldOf(tokens: readonly QueryToken[], subject: TableSubject): FieldRule | undefined {
  let at = tokens.length - 1;
  while (at > 0 && tokens[at]?.kind === 'comma') {
    at -= 2;
  }
  const name = tokens[at - 1];
  return tokens[at]?.kind === 'operator' && name?.kind === 'word' ? fieldOf(name.text, subject) : undefined;
}

/** Returns whether the last token is at the start of a condition, not a value after an operator or comma. */
function isConditionStart(tokens: readonly QueryToken[]): boolean {
  const before = tokens.at(-2);
  return before?.kind !== 'operator' && before?.kind !== 'comma';
}

function endsCondition(tokens: readonly QueryToken[]): boolean {
  const last = tokens.at(-1);
  return last !== undefined && ['word', 'quoted', 'pattern', 'close'].includes(last.kind) && !/^(?:and|or|not)$/i.test(last.text);
}
