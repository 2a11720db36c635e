import { ownValue } from '../../../shared/isRecord';
import { toArgumentsLine } from '../../../shared/session/rows/argumentsLine';
import { noteTitle } from '../../../shared/session/rows/noteEvents';
import type { Delivery, Row, RowKind } from '../../../shared/session/rows/rows';
import { modelWords, outcomeWords, runWords, statusWords, toolStateWords } from '../../../shared/session/rows/rowWords';
import type { Translate } from '../../../shared/session/translateText';
import { join, toLabel } from '../../../shared/text';

/**
 * Returns the accessible name of a row: the sub-agent's thread if the row comes from one, the speaker or kind, the state, and a short text.
 * One line, at most 300 code points.
 */
export function rowName(row: Row, t: Translate, threadName?: string): string {
  try {
    return toName(row, t, threadName);
  } catch {
    // A malformed row must not break the other rows.
    return toLabel(`${row.type} ${row.summary}`);
  }
}

function toName(row: Row, t: Translate, threadName: string | undefined): string {
  const toText = texts[row.kind] as ((row: Row, t: Translate) => string) | undefined;
  const said = toText === undefined ? row.summary : toText(row, t);
  const toHead = heads[row.kind] as (row: Row, t: Translate) => Words;
  const head = join(', ', threadName && t('Thread {0}', threadName), ...toHead(row, t));
  return toLabel(said === '' ? head : t('{0}: {1}', head, said), 300);
}

type Words = readonly (string | undefined)[];

/** The speaker or kind of a row, and its state. */
const heads: { readonly [K in RowKind]: (row: Row & { readonly kind: K }, t: Translate) => Words } = {
  user: ({ delivery }, t) => [t('You'), deliveryWords(delivery, t)],
  agent: ({ preview }, t) => [t('Agent'), preview === true ? t('writing…') : undefined],
  system: ({ delivery }, t) => [t('System'), deliveryWords(delivery, t)],
  thinking: ({ preview }, t) => [preview === true ? t('Thinking…') : t('Thought')],
  tool: (row, t) => [toToolWords(row.server === undefined ? row.name : `${row.server} / ${row.name}`, row.tool, t), toolStateWords(row, t)],
  status: (_, t) => [t('Status')],
  error: (_, t) => [t('Error')],
  outcome: (row, t) => [outcomeWords(row, t), deliveryWords(row.delivery, t)],
  model: (row, t) => [modelWords(row, t)],
  thread: ({ step, agentName, otherThread }, t) => [toThreadWords(step, agentName === '' ? otherThread : agentName, t)],
  run: ({ result }, t) => [t('Workflow run'), result === undefined ? undefined : runWords(result, t)],
  note: (row, t) => [noteTitle(row, t)],
  usage: (_, t) => [t('Usage')],
  update: (_, t) => [t('Update')],
  unknown: (_, t) => [t('Event of an unknown type')],
  gap: (_, t) => [t('Events may be missing here')],
};

/** The short text of a row, for kinds whose summary is something else. */
const texts: { readonly [K in RowKind]?: (row: Row & { readonly kind: K }, t: Translate) => string } = {
  tool: ({ input }) => ('text' in input ? toArgumentsLine(input.text ?? '') : ''),
  status: (row, t) => (row.agentName === undefined ? statusWords(row, t) : `${statusWords(row, t)}, ${row.agentName}`),
  error: ({ message, errorType }) => (message === '' ? errorType : message),
  outcome: ({ description, explanation }) => description ?? explanation ?? '',
  unknown: ({ type }) => type,
  gap: ({ problem }) => problem,
  thread: ({ parts, summary }) => (parts.length === 0 ? '' : summary),
};

function toToolWords(name: string, kind: 'builtin' | 'mcp' | 'custom', t: Translate): string {
  return kind === 'mcp' ? t('MCP tool {0}', name) : kind === 'custom' ? t('Custom tool {0}', name) : t('Tool {0}', name);
}

function toThreadWords(step: 'created' | 'sent' | 'received', name: string, t: Translate): string {
  return step === 'created' ? t('Started {0}', name) : step === 'sent' ? t('Message to {0}', name) : t('Message from {0}', name);
}

/** Returns the delivery state of the user's own message, if worth showing. */
export function deliveryWords(delivery: Delivery | undefined, t: Translate): string | undefined {
  const words = {
    sending: t('sending'),
    queued: t('queued'),
    undelivered: t('not delivered'),
    failed: t('not sent'),
  };
  return ownValue(words, delivery);
}
