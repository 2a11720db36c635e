import { ownValue } from '../../../shared/isRecord';
import { toArgumentsLine } from '../../../shared/session/rows/argumentsLine';
import type { Delivery, Row } from '../../../shared/session/rows/rows';
import { modelWords, outcomeWords, runWords, statusWords, toolStateWords } from '../../../shared/session/rows/rowWords';
import type { Translate } from '../../../shared/session/translateText';
import { joinWords, toLabel } from '../../../shared/text';

/**
 * Returns the accessible name of a row: the sub-agent's thread if the row comes from one, the speaker or kind, the state, and a short text.
 * One line, at most 300 code points.
 */
export function rowName(row: Row, t: Translate, threadName?: string): string {
  try {
    return toName(row, t, threadName);
  } catch {
    // A malformed row must not break the others.
    return toLabel(`${row.type} ${row.summary}`);
  }
}

function toName(row: Row, t: Translate, threadName: string | undefined): string {
  const said = toSaid(row, t);
  const head = joinWords([threadName && t('Thread {0}', threadName), ...toHead(row, t)], ', ');
  return toLabel(said === '' ? head : t('{0}: {1}', head, said), 300);
}

function toHead(row: Row, t: Translate): readonly (string | undefined)[] {
  switch (row.kind) {
    case 'user':
      return [t('You'), deliveryWords(row.delivery, t)];
    case 'agent':
      return [t('Agent'), row.preview === true ? t('writing…') : undefined];
    case 'system':
      return [t('System'), deliveryWords(row.delivery, t)];
    case 'thinking':
      return [row.preview === true ? t('Thinking…') : t('Thought')];
    case 'tool':
      return [toToolWords(row.server === undefined ? row.name : `${row.server} / ${row.name}`, row.tool, t), toolStateWords(row, t)];
    case 'status':
      return [t('Status')];
    case 'error':
      return [t('Error')];
    case 'outcome':
      return [outcomeWords(row, t), deliveryWords(row.delivery, t)];
    case 'model':
      return [modelWords(row, t)];
    case 'thread':
      return [toThreadWords(row.step, row.agentName === '' ? row.otherThread : row.agentName, t)];
    case 'run':
      return [t('Workflow run'), row.result === undefined ? undefined : runWords(row.result, t)];
    case 'compaction':
      return [t('Compaction')];
    case 'usage':
      return [t('Usage')];
    case 'update':
      return [t('Update')];
    case 'unknown':
      return [t('Event of an unknown type')];
    case 'gap':
      return [t('Events may be missing here')];
  }
}

function toSaid(row: Row, t: Translate): string {
  switch (row.kind) {
    case 'tool':
      return 'text' in row.input ? toArgumentsLine(row.input.text ?? '') : '';
    case 'status':
      return row.agentName === undefined ? statusWords(row, t) : `${statusWords(row, t)}, ${row.agentName}`;
    case 'error':
      return row.message === '' ? row.errorType : row.message;
    case 'outcome':
      return row.description ?? row.explanation ?? '';
    case 'unknown':
      return row.type;
    case 'gap':
      return row.problem;
    case 'thread':
      return row.parts.length === 0 ? '' : row.summary;
    default:
      return row.summary;
  }
}

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
