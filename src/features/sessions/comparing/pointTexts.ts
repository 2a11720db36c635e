import type { Translate } from '../../../common/text/translate';
import type { PairPart } from '../../../shared/results/resultsProtocol';
import { type ComparedStep, shownText, toStep } from '../../../shared/session/comparing/comparedSteps';
import type { ComparedPoint } from '../../../shared/session/comparing/compareSessions';
import { toolStateWords } from '../../../shared/session/rows/rowWords';
import { toLabel } from '../../../shared/text';
import type { ComparedSide } from './comparedSessions';

/** Maximum length of a document in characters: VS Code's diff editor supports no more. */
const maxText = 20_000_000;

/** Returns the display name of a compared point. */
export function nameOfPoint({ kind, one, other }: ComparedPoint, t: Translate): string {
  const name = kind === 'turn' ? '' : ((one ?? other) as { readonly name?: string } | undefined)?.name;
  return nameOfKind(kind, name ?? '', t);
}

function nameOfKind(kind: ComparedPoint['kind'], name: string, t: Translate): string {
  switch (kind) {
    case 'turn':
      return t('Turn');
    case 'message':
      return name === '' ? t('User') : toLabel(name, 60);
    case 'text':
      return t('Agent');
    case 'call':
      return toLabel(name, 60);
    case 'answer':
      return t('Answer');
    case 'error':
      return t('Error {0}', toLabel(name, 60));
    case 'outcome':
      return name === 'defined' ? t('Outcome') : t('Outcome evaluation');
    case 'other':
      return toLabel(name, 60);
  }
}

/** Yields the steps of one side at a point as readable texts, without IDs and times. */
export function* stepsAt(point: ComparedPoint, index: 0 | 1, side: ComparedSide): Generator<ComparedStep> {
  const shown = index === 0 ? point.one : point.other;
  if (shown === undefined) {
    return;
  }
  const { from, to } = side.turns[point.turns[index] ?? -1] ?? { from: 0, to: 0 };
  const { rows } = side.log;
  const key = 'key' in shown ? shown.key : undefined;
  for (let at = firstFrom(rows, from), row = rows[at]; row !== undefined && row.seq < to; row = rows[++at]) {
    const step = key === undefined || row.key === key ? toStep(row, side.log, shownText) : undefined;
    if (step !== undefined) {
      yield point.kind === 'answer' ? { ...step, kind: 'answer' } : step;
    }
  }
}

/** Returns the index of the first row at or after a log position. */
function firstFrom(rows: readonly { readonly seq: number }[], seq: number): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rows[middle]?.seq ?? 0) < seq) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/** Returns the parts of a step to show: its input and its result. */
export function partsOfStep(step: ComparedStep, t: Translate, isOne: boolean): readonly PairPart[] {
  const { kind, name, asked, came, state } = step;
  const title = isOne ? undefined : nameOfKind(kind, name, t);
  if (kind !== 'call') {
    const form = kind === 'text' || kind === 'answer' ? 'markdown' : 'plain';
    const isProblem = kind === 'error';
    return [asked, came]
      .filter(text => text !== '')
      .map((text, at): PairPart => ({ form, text, ...(at === 0 && title !== undefined && { title }), ...(isProblem && { isProblem }) }));
  }
  const isProblem = state === 'failed' || state === 'denied';
  return [
    { form: 'code', title: title ?? t('Arguments'), text: asked },
    ...(came === '' ? [] : [{ form: 'code' as const, title: t('Result'), text: came, ...(isProblem && { isProblem }) }]),
  ];
}

function textOfStep({ kind, name, asked, came, state }: ComparedStep, t: Translate): string {
  const heading = `## ${nameOfKind(kind, name, t)}\n\n`;
  const status = state === '' || state === 'done' ? '' : `${t('State')}: ${stateWords(state, t)}\n\n`;
  const result = came === '' ? '' : `### ${kind === 'call' ? t('Result') : t('Explanation')}\n\n${came}\n\n`;
  return `${heading}${status}${asked === '' ? '' : `${asked}\n\n`}${result}`;
}

/** Formats both sides of some points as documents. */
export function textsOf(points: readonly ComparedPoint[], sides: readonly [ComparedSide, ComparedSide], t: Translate): [string, string] {
  return [textOf(points, 0, sides[0], t), textOf(points, 1, sides[1], t)];
}

function textOf(points: readonly ComparedPoint[], index: 0 | 1, side: ComparedSide, t: Translate): string {
  const pieces: string[] = [];
  let length = 0;
  const add = (text: string): boolean => {
    length += text.length;
    pieces.push(length > maxText ? t('This is the start of a long text.') : text);
    return length <= maxText;
  };
  for (const point of points) {
    if (point.kind === 'turn' && (index === 0 ? point.one : point.other) !== undefined) {
      add(`# ${t('Turn {0}', (point.turns[index] ?? 0) + 1)}\n\n`);
    }
    for (const step of stepsAt(point, index, side)) {
      if (!add(textOfStep(step, t))) {
        return pieces.join('');
      }
    }
  }
  return pieces.join('');
}

/** Describes the state of a call. Returns '' for other steps. */
export function stateWords(state: ComparedStep['state'], t: Translate): string {
  return state === '' ? '' : toolStateWords({ state, tool: 'builtin' }, t);
}
