import type { ServiceErrorDetails } from '../../../client/transport/errors';
import { failureCauseOf } from '../../../common/asking/failureCause';
import { nameWithHost } from '../../../common/text/presentation';
import type { Translate } from '../../../common/text/translate';
import { numberFormat, toNumber } from '../../../shared/formats';
import { jsonOf } from '../../../shared/jsonOf';
import { redact } from '../../../shared/redaction';
import { toFence } from '../../../shared/session/rows/markdownText';
import { toLabel } from '../../../shared/text';
import type { AnswerBlock, StreamedAnswer } from './streamedAnswer';

/** Facts about a run of a request that the stream does not contain. */
export interface RunFacts {
  readonly connection: string;
  readonly host: string;
  readonly fileName: string;
  /** Line of the request when it was sent, 1-based. */
  readonly lineNumber: number;
  readonly customId: string | undefined;
  readonly state: 'sending' | 'receiving' | 'ended' | 'stopped' | 'failed';
  readonly elapsedMs: number;
  readonly requestId: string | undefined;
  readonly problem?: string;
  readonly advice?: string;
}

/**
 * Returns the answer document as Markdown source. The first line is the destination of the request, and the second its status. The answer
 * follows. The service's text is last, so that it can't imitate the text of the extension.
 */
export function toAnswerDocument(facts: RunFacts, answer: StreamedAnswer, t: Translate, locale?: string): string {
  const to = nameWithHost({ name: toLabel(facts.connection), host: facts.host });
  const head = [
    facts.customId === undefined
      ? t('Sent to {0} from line {1} of {2}', to, facts.lineNumber, toLabel(facts.fileName))
      : t('Sent to {0} from line {1} of {2}, {3}', to, facts.lineNumber, toLabel(facts.fileName), toLabel(facts.customId)),
    [toStateSentence(facts, answer, t), ...toFactList(facts, answer, t, locale)].join(' · '),
  ];
  const problem = [facts.problem, facts.advice].filter(line => line !== undefined && line !== '');
  const sections = [head.join('\n'), ...(problem.length > 0 ? [problem.join('\n')] : []), ...toSections(answer, t)];
  return `${sections.join('\n\n')}\n`;
}

function toStateSentence(facts: RunFacts, answer: StreamedAnswer, t: Translate): string {
  switch (facts.state) {
    case 'sending':
    case 'receiving':
      return t('Receiving the answer… Press Escape to stop');
    case 'stopped':
      return t('Stopped. The answer is incomplete.');
    case 'failed':
      return answer.blocks.length === 0 ? t('Failed') : t('Incomplete answer');
    case 'ended':
      break;
  }
  switch (answer.stopReason) {
    case undefined:
      return t('Finished');
    case 'max_tokens':
      return t('Cut short: raise max_tokens.');
    case 'model_context_window_exceeded':
      return t('The context window is full: shorten the prompt.');
    default:
      return t('Finished ({0})', toLabel(answer.stopReason, 80));
  }
}

function toFactList(facts: RunFacts, answer: StreamedAnswer, t: Translate, locale: string | undefined): readonly string[] {
  const seconds = numberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  const usage = Object.entries(answer.usage).flatMap(([name, value]) => toUsageFact(name, value, t, locale));
  return [
    ...(answer.model === undefined ? [] : [t('model {0}', toLabel(answer.model, 100))]),
    ...(facts.state === 'sending' ? [] : usage),
    // No elapsed time during the run, because a screen reader would read out every change.
    ...(facts.state === 'sending' || facts.state === 'receiving' ? [] : [t('{0} s', seconds.format(facts.elapsedMs / 1000))]),
    ...(facts.requestId === undefined ? [] : [t('request ID {0}', toLabel(facts.requestId, 100))]),
  ];
}

function toUsageFact(name: string, value: unknown, t: Translate, locale: string | undefined): readonly string[] {
  if (typeof value !== 'number') {
    return [];
  }
  const number = toNumber(value, locale);
  switch (name) {
    case 'input_tokens':
      return [t('input tokens: {0}', number)];
    case 'output_tokens':
      return [t('output tokens: {0}', number)];
    default:
      return value === 0 ? [] : [`${toLabel(name, 60)} ${number}`];
  }
}

function toSections(answer: StreamedAnswer, t: Translate): string[] {
  const blocks = answer.blocks;
  const onlyText = blocks.every(block => block.type === 'text');
  const sections = blocks.flatMap(block => toBlockSections(block, onlyText, t));
  if (answer.stopDetails !== undefined) {
    sections.push(`## stop_details\n\n${toFence(redact(toJson(answer.stopDetails)), 'json')}`);
  }
  if (answer.unknownEvents.length > 0) {
    sections.push(
      `## ${t('Unknown events')}\n\n${toFence(redact(answer.unknownEvents.map(event => JSON.stringify(event)).join('\n')), 'json')}`,
    );
  }
  return sections;
}

function toBlockSections(block: AnswerBlock, onlyText: boolean, t: Translate): string[] {
  switch (block.type) {
    case 'text':
      return onlyText ? [block.text] : [`## ${t('Answer')}\n\n${block.text}`];
    case 'thinking':
      return [`## ${t('Thinking')}\n\n${block.text}`];
    case 'redacted_thinking':
      return [`## ${t('Thinking')}\n\n${t("The service doesn't return this part.")}`];
    case 'tool_use':
    case 'server_tool_use':
    case 'mcp_tool_use': {
      const name = typeof block.start.name === 'string' ? toLabel(block.start.name) : '';
      const id = typeof block.start.id === 'string' ? ` (${toLabel(block.start.id)})` : '';
      const input = block.json === '' ? toJson(block.start.input ?? {}) : toJson(jsonOf(block.json)) || block.json;
      return [`## ${t('Tool use: {0}', name)}${id}\n\n${toFence(input, 'json')}`];
    }
    default:
      return [`## ${toLabel(block.type)}\n\n${toFence(toJson(block.start), 'json')}${block.text === '' ? '' : `\n\n${block.text}`}`];
  }
}

function toJson(value: unknown): string {
  return JSON.stringify(value, undefined, 2) ?? '';
}

type Failure = Pick<ServiceErrorDetails, 'kind' | 'serviceMessage'>;

/** Returns advice on a failed run. */
export function toAdvice(error: Failure | undefined, t: Translate): string {
  const again = t('Run the request again later.');
  const fix = t('Fix the request, then run it again.');
  const isModelMissing = /model/i.test(error?.serviceMessage ?? '');
  const byKind: Partial<Record<Failure['kind'], string>> = {
    invalid_request: fix,
    request_too_large: fix,
    not_found: isModelMissing ? t('Check the model name.') : t('Send the requests as a batch, or test the connection.'),
    billing: t('Check the credit of your account.'),
    rate_limit: again,
    overloaded: again,
  };
  const byCause = { key: t('Set the API key first.'), connection: t('Test Connection'), elsewhere: again };
  return error === undefined ? again : (byKind[error.kind] ?? byCause[failureCauseOf(error.kind)]);
}
