import type { Translate } from '../../../common/text/translate';
import type { PairPart } from '../../../shared/results/resultsProtocol';
import { toolStateWords } from '../../../shared/session/rows/rowWords';
import { toLabel } from '../../../shared/text';
import type { ComparedStep } from './comparedTurns';
import type { ComparedPoint } from './compareSessions';

/** Maximum length of a document in characters. VS Code's diff editor supports no longer documents. */
const maxText = 20_000_000;

/** Returns the display name of a compared point. */
export function nameOfPoint({ kind, one, other }: ComparedPoint, t: Translate): string {
  return kind === 'turn' ? t('Turn') : nameOfKind(kind, (one ?? other)?.name ?? '', t);
}

function nameOfKind(kind: ComparedStep['kind'], name: string, t: Translate): string {
  switch (kind) {
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

/** Returns the steps of one side at a point. */
export function stepsAt({ one, other }: ComparedPoint, index: 0 | 1): readonly ComparedStep[] {
  const shown = index === 0 ? one : other;
  if (shown === undefined || !('steps' in shown)) {
    return shown === undefined ? [] : [shown];
  }
  return shown.steps.map(step => (step.kind === 'answer' ? { ...step, kind: 'text' } : step));
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

/** Formats one side of some points as a document. */
export function textOf(points: readonly ComparedPoint[], index: 0 | 1, t: Translate): string {
  const pieces: string[] = [];
  let length = 0;
  const add = (text: string): boolean => {
    length += text.length;
    pieces.push(length > maxText ? t('Only the start of this text is shown.') : text);
    return length <= maxText;
  };
  for (const point of points) {
    if (point.kind === 'turn' && (index === 0 ? point.one : point.other) !== undefined) {
      add(`# ${t('Turn {0}', (point.turns[index] ?? 0) + 1)}\n\n`);
    }
    for (const step of stepsAt(point, index)) {
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
