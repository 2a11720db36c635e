import { describeDuration, describeTime, nameOrId, type PresentationContext } from '../../../common/text/presentation';
import type { Translate } from '../../../common/text/translate';
import {
  type ComparedPairView,
  type ComparisonHead,
  type ComparisonRow,
  type SessionComparisonFilter,
  sessionComparisonFilters,
} from '../../../shared/comparison/comparisonProtocol';
import { defined } from '../../../shared/defined';
import { dateTimeFormat, numberFormat } from '../../../shared/formats';
import type { PairPart, PairSide } from '../../../shared/results/resultsProtocol';
import { stateWords as describeState, isRunning } from '../../../shared/session/facts/sessionState';
import type { Money } from '../../../shared/session/facts/tokens';
import type { SessionView } from '../../../shared/session/sessionView';
import { join, toLabel } from '../../../shared/text';
import type { ComparedSessions, ComparedSide } from './comparedSessions';
import type { ComparedTurn } from './comparedTurns';
import { type ComparedPoint, type Difference, sumOfTokens } from './compareSessions';
import { nameOfPoint, partsOfStep, stateWords, stepsAt } from './pointTexts';

/** Maximum length of the text of one side in the panel, in characters. */
const maxText = 200_000;

/** Returns a compared point as a row. */
export function toComparisonRow(point: ComparedPoint, context: PresentationContext): ComparisonRow {
  const { one, other, differences } = point;
  const [before, after] =
    point.kind === 'turn'
      ? [wordsOfTurn(point.one, context), wordsOfTurn(point.other, context)]
      : differences.includes('result')
        ? [point.one?.cameWords, point.other?.cameWords]
        : [one?.words, other?.words];
  const cell = (words: string | undefined) =>
    words === undefined ? { words: context.translate('nothing'), className: 'isComing' } : { words, className: 'words' };
  return {
    isTurn: point.kind === 'turn',
    cells: [{ words: turnOf(point) }, cell(nameOfPoint(point, context.translate)), toChange(point, context), cell(before), cell(after)],
  };
}

/** Returns the detail view of a compared point. */
export function toPairView(point: ComparedPoint, context: PresentationContext): ComparedPairView {
  const { translate: t } = context;
  const name = titleOf(point, t);
  const [before, after] = [toPointSide(point, 0, context), toPointSide(point, 1, context)];
  const change = toChange(point, context);
  return {
    name,
    label: t('Both sessions, {0}', name),
    ...(change.words !== '' && { change }),
    links: [
      { act: 'difference', label: t('Show Difference') },
      ...(before === undefined ? [] : [{ act: 'before', label: t('Open in Session A') }]),
      ...(after === undefined ? [] : [{ act: 'after', label: t('Open in Session B') }]),
    ],
    ...defined({ before, after }),
  };
}

export function titleOf(point: ComparedPoint, t: Translate): string {
  const turn = turnOf(point);
  return point.kind === 'turn' ? t('Turn {0}', turn) : t('Turn {0}: {1}', turn, nameOfPoint(point, t));
}

/** Returns the number of the turn of a point, or both numbers if they differ. */
function turnOf({ turns }: ComparedPoint): string {
  const numbers = turns.flatMap(turn => (turn === undefined ? [] : [turn + 1]));
  return [...new Set(numbers)].join(' / ');
}

function toChange(point: ComparedPoint, context: PresentationContext): ComparisonRow['cells'][number] {
  const { differences, one, other } = point;
  const kind = other === undefined ? 'lost' : one === undefined ? 'added' : differences.length === 0 ? 'same' : 'changed';
  return {
    words: differences.map(difference => wordsOf(difference, point, context)).join(', '),
    className: `kind-${kind} words kind`,
  };
}

/** Returns everything in the panel but the rows: the differences by kind, and both sessions with their numbers. */
export function toComparisonHead(compared: ComparedSessions, context: PresentationContext): ComparisonHead {
  const { translate: t, locale } = context;
  const { sides, lists } = compared;
  const [first] = lists.differs;
  const differing = numberFormat(locale).format(lists.differs.length);
  const turn = first === undefined ? '' : turnOf(first);
  return {
    of: 'sessions',
    title: t('{0} and {1}', toLabel(nameOf(sides[0].view), 40), toLabel(nameOf(sides[1].view), 40)),
    summary:
      lists.all.length === 0
        ? t('Nothing to compare.')
        : first === undefined
          ? t('No differences.')
          : t('Differences: {0}, first in turn {1}', differing, turn),
    differences: countDifferences(lists.differs, context),
    runs: [toRun(sides[0], context), toRun(sides[1], context)],
    numbers: toNumbers(sides, context),
    notices: toNotices(compared, context),
    details: [
      [
        t('A is the older session.'),
        t("Turns are paired by the user's text, steps by their calls and arguments."),
        t("Thinking, model requests, IDs and times aren't compared."),
        t('Token differences below 100 or 10% are ignored.'),
      ].join(' '),
    ],
    acts: [
      { act: 'difference', label: t('Show Transcripts in Diff Editor') },
      { act: 'refresh', label: t('Refresh') },
    ],
    filtersLabel: t('Select a filter'),
    filters: sessionComparisonFilters.map(id => ({ id, label: filterWords(id, t), count: lists[id].length })),
    tableLabel: t('Turns of both sessions'),
    columns: [t('Turn'), t('Step'), t('Differences'), 'A', 'B'],
    empty: first === undefined && lists.all.length > 0 ? t('No differences.') : t('Nothing to show'),
    pairLabel: t('Both sessions'),
  };
}

function filterWords(filter: SessionComparisonFilter, t: Translate): string {
  return {
    differs: t('Differences'),
    turns: t('Turns'),
    calls: t('Calls'),
    answers: t('Answers'),
    others: t('Others'),
    all: t('All Steps'),
  }[filter];
}

/** Returns one side of a point, cut to the maximum length. `undefined` if the side does not have the point. */
export function toPointSide(point: ComparedPoint, index: 0 | 1, context: PresentationContext): PairSide | undefined {
  const { translate: t } = context;
  const shown = index === 0 ? point.one : point.other;
  if (shown === undefined) {
    return undefined;
  }
  const parts: PairPart[] = [];
  let left = maxText;
  for (const step of stepsAt(point, index)) {
    for (const part of partsOfStep(step, t, point.kind !== 'turn')) {
      parts.push(part.text.length > left ? { ...part, text: part.text.slice(0, left) } : part);
      left -= part.text.length;
    }
    if (left < 0) {
      break;
    }
  }
  return {
    facts:
      'calls' in shown ? factsOfTurn(shown, context) : shown.state === '' ? [] : [{ name: t('State'), value: stateWords(shown.state, t) }],
    parts,
    isCut: left < 0,
    ...(parts.length === 0 && { notice: t('Nothing to show') }),
  };
}

function wordsOfTurn(turn: ComparedTurn | undefined, context: PresentationContext): string | undefined {
  return turn && join(' · ', ...factsOfTurn(turn, context).map(({ name, value }) => `${name} ${value}`));
}

function factsOfTurn({ calls, tokens, end }: ComparedTurn, context: PresentationContext): PairSide['facts'] {
  const { translate: t, locale } = context;
  const sum = sumOfTokens(tokens);
  const number = numberFormat(locale);
  return [
    { name: t('Calls'), value: number.format(calls) },
    ...(sum === undefined ? [] : [{ name: t('Tokens'), value: number.format(sum) }]),
    ...(end === '' || end === 'end_turn' ? [] : [{ name: t('Ended'), value: toLabel(end, 60) }]),
  ];
}

function wordsOf(difference: Difference, point: ComparedPoint, { translate: t, locale }: PresentationContext): string {
  switch (difference) {
    case 'onlyA':
      return t('Only in A');
    case 'onlyB':
      return t('Only in B');
    case 'arguments':
      return t('different arguments');
    case 'result':
      return t('different result');
    case 'state':
      return t('{0} in A, {1} in B', stateOf(point.one, t), stateOf(point.other, t));
    case 'text':
      return point.kind === 'answer' ? t('answer differs') : t('different text');
    case 'calls':
      return t('calls {0}', moreIn(point, 'calls', locale));
    case 'tokens':
      return t('tokens {0}', moreIn(point, 'tokens', locale));
    case 'end':
      return t('different ending');
  }
}

/** Formats the difference of a number from turn A to turn B, with its sign. */
function moreIn(point: ComparedPoint, field: 'calls' | 'tokens', locale: string): string {
  const turns = point.kind === 'turn' ? [point.one, point.other] : [];
  const [one = 0, other = 0] = turns.map(turn => (field === 'calls' ? turn?.calls : sumOfTokens(turn?.tokens)));
  return numberFormat(locale, { signDisplay: 'always' }).format(other - one);
}

function stateOf(step: ComparedPoint['one'], t: Translate): string {
  return step !== undefined && 'state' in step ? stateWords(step.state, t) : '';
}

function countDifferences(points: readonly ComparedPoint[], { translate: t, locale }: PresentationContext): readonly string[] {
  const number = numberFormat(locale);
  const of = (kinds: readonly ComparedPoint['kind'][], difference: ComparedPoint['differences'][number]) =>
    points.filter(point => kinds.includes(point.kind) && point.differences.includes(difference)).length;
  const others = ['message', 'text', 'error', 'outcome', 'other'] as const;
  const counted: readonly (readonly [number, (count: string) => string])[] = [
    [of(['turn'], 'onlyA'), count => t('Turns only in A: {0}', count)],
    [of(['turn'], 'onlyB'), count => t('Turns only in B: {0}', count)],
    [of(['call'], 'onlyA'), count => t('Calls only in A: {0}', count)],
    [of(['call'], 'onlyB'), count => t('Calls only in B: {0}', count)],
    [of(['call'], 'arguments'), count => t('Calls with different arguments: {0}', count)],
    [of(['call'], 'result'), count => t('Calls with different results: {0}', count)],
    [of(['call'], 'state'), count => t('Calls with different states: {0}', count)],
    [of(['answer'], 'text'), count => t('Different answers: {0}', count)],
    [of(['answer'], 'onlyA') + of(['answer'], 'onlyB'), count => t('Answers in one session only: {0}', count)],
    [of(['turn'], 'end'), count => t('Turns with different endings: {0}', count)],
    [of(others, 'text') + of(others, 'onlyA') + of(others, 'onlyB'), count => t('Other differences: {0}', count)],
  ];
  return counted.flatMap(([count, words]) => (count === 0 ? [] : [words(number.format(count))]));
}

function toRun({ view, connection }: ComparedSide, { translate: t, locale }: PresentationContext): ComparisonHead['runs'][number] {
  const { agent, state, status, rest, asks, createdAt } = view;
  const version = agent?.version === undefined ? '' : ` v${agent.version}`;
  const facts = [
    agent === undefined ? '' : `${agent.name}${version}`,
    agent?.model ?? '',
    describeState({ state, status, rest, asksApproval: asks.some(({ kind }) => kind === 'confirmation') }, t),
    createdAt === undefined ? '' : describeTime(new Date(createdAt).toISOString(), { locale }),
    toLabel(connection, 40),
  ];
  return { name: nameOf(view), facts: facts.filter(fact => fact !== '') };
}

function nameOf(view: SessionView): string {
  return nameOrId(view.title || view.firstWords, view.id, 80);
}

function toNumbers([one, other]: ComparedSessions['sides'], { translate: t, locale }: PresentationContext): ComparisonHead['numbers'] {
  const format = numberFormat(locale);
  const signed = numberFormat(locale, { signDisplay: 'exceptZero' });
  const unknown = t('unknown');
  const counted = (name: string, of: (side: ComparedSide) => number | undefined) => {
    const [before, after] = [of(one), of(other)];
    const more = before === undefined || after === undefined || before === after ? '' : ` (${signed.format(after - before)})`;
    return {
      name,
      before: before === undefined ? unknown : format.format(before),
      after: after === undefined ? unknown : `${format.format(after)}${more}`,
    };
  };
  const described = (name: string, of: (side: ComparedSide) => string) => ({ name, before: of(one), after: of(other) });
  return [
    counted(t('Turns'), ({ turns }) => turns.length),
    counted(t('Calls'), ({ turns }) => turns.reduce((sum, { calls }) => sum + calls, 0)),
    counted(t('Tokens'), ({ view }) => sumOfTokens(view.tokens)),
    described(t('Active'), ({ view }) =>
      view.activeSeconds === undefined ? unknown : describeDuration(view.activeSeconds * 1000, locale),
    ),
    described(t('Cost'), ({ view }) => (view.cost === undefined ? unknown : moneyWords(view.cost, locale))),
  ];
}

function toNotices({ sides, isPiecewise }: ComparedSessions, { translate: t, locale, now }: PresentationContext): readonly string[] {
  const states = sides.map(({ view }) => view.state);
  const names = ['A', 'B'].filter((_, index) => isRunning(states[index]) || states[index] === 'waiting');
  const time = dateTimeFormat(locale, { timeStyle: 'medium' }).format(now);
  return [
    ...(names.length === 0 ? [] : [t('{0}: still running (as of {1}).', names.join(', '), time)]),
    ...(sides.some(({ view }) => view.threads.length > 1) ? [t('Only the main thread is compared.')] : []),
    ...(isPiecewise ? [t('The sessions are long, so moved parts may be listed under both "Only in A" and "Only in B".')] : []),
  ];
}

/** Formats an amount, with up to four decimals if the amount is below one cent. An unknown currency is shown by its code. */
function moneyWords({ cents, currency }: Money, locale: string): string {
  const digits = { maximumFractionDigits: Math.abs(cents) < 1 ? 4 : 2 };
  return /^[A-Z]{3}$/i.test(currency)
    ? numberFormat(locale, { style: 'currency', currency, ...digits }).format(cents / 100)
    : `${numberFormat(locale, digits).format(cents / 100)} ${toLabel(currency, 20)}`;
}
