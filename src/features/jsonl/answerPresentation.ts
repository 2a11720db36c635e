import { toLabel } from '../../common/text';
import type { Translate } from '../../common/translate';
import { attentionOf, type ResultEntry } from '../../jsonl/resultsReport';
import { toFence } from '../../shared/session/markdownText';
import { toNumber } from './problemsPresentation';

/** How an answer is marked at its source line. */
export type AnswerMark = 'succeeded' | 'cut_short' | 'refused' | 'errored' | 'canceled' | 'expired' | 'other';

export const answerMarks: readonly AnswerMark[] = ['succeeded', 'cut_short', 'refused', 'errored', 'canceled', 'expired', 'other'];

/** A succeeded answer that was cut short or refused is marked as that: for the user it is no success. */
export function toMark(entry: Pick<ResultEntry, 'state' | 'stopReason'>): AnswerMark {
  return entry.state === 'succeeded' ? (attentionOf(entry.stopReason) ?? 'succeeded') : entry.state;
}

/** A sign of its own shape for each mark, so that colour is never the only difference. */
export function toSign(mark: AnswerMark): string {
  switch (mark) {
    case 'succeeded':
      return '✓';
    case 'cut_short':
      return '◐';
    case 'refused':
      return '⊘';
    case 'errored':
      return '✗';
    case 'canceled':
      return '–';
    case 'expired':
      return '◷';
    case 'other':
      return '?';
  }
}

/** The mark in a word. */
export function toMarkWord(mark: AnswerMark, t: Translate): string {
  switch (mark) {
    case 'succeeded':
      return t('succeeded');
    case 'cut_short':
      return t('cut short');
    case 'refused':
      return t('refused');
    case 'errored':
      return t('errored');
    case 'canceled':
      return t('canceled');
    case 'expired':
      return t('expired');
    case 'other':
      return t('unknown result');
  }
}

/** What stands behind a source line: sign, state unless it simply succeeded, first words, tokens. `preview` is the start of the answer, or what went wrong. */
export function toAnswerLine(entry: ResultEntry, preview: string, t: Translate, locale?: string): string {
  const mark = toMark(entry);
  const words = toLabel(preview.replace(/\s+/gu, ' ').trim(), 80);
  const parts = [
    ...(mark === 'succeeded' ? [] : [toMarkWord(mark, t)]),
    ...(words === '' ? [] : [words]),
    ...(entry.outputTokens > 0 ? [toTokens(entry.outputTokens, t, locale)] : []),
  ];
  return `${toSign(mark)} ${parts.join(' · ')}`;
}

function toTokens(count: number, t: Translate, locale: string | undefined): string {
  return count === 1 ? t('1 token') : t('{0} tokens', toNumber(count, locale));
}

/** Where an answer came from. */
export interface AnswerOrigin {
  readonly connection: string;
  readonly batchId: string;
  /** File name of the joined results. */
  readonly joinedName: string;
}

/** Characters of an answer that a hover shows. */
export const hoverLimit = 4000;

/**
 * The hover of an answer as Markdown without HTML. What the model or the service wrote stands in a code fence as it is: no
 * link, image or command in it can act.
 */
export function toAnswerHover(entry: ResultEntry, text: string, origin: AnswerOrigin, t: Translate, locale?: string): string {
  const shown = text.length > hoverLimit ? `${text.slice(0, hoverLimit).replace(/[\ud800-\udbff]$/, '')}…` : text;
  const sections = [
    escapeMarkdown(toFacts(entry, t, locale)),
    ...(shown === '' ? [] : [toFence(shown, 'plaintext')]),
    ...(text.length > hoverLimit
      ? [escapeMarkdown(t('The answer is longer. The command "Managed Agents: Open Answer" shows all of it.'))]
      : []),
    escapeMarkdown(toPlace(entry, origin, t, locale)),
  ];
  return sections.join('\n\n');
}

/** One fetched answer as a document: which request and batch, how it ended, and every word of it. */
export function toFetchedAnswerDocument(entry: ResultEntry, text: string, origin: AnswerOrigin, t: Translate, locale?: string): string {
  const head = t('Answer to {0} of {1}', toLabel(entry.customId), toLabel(origin.connection));
  const top = [head, toFacts(entry, t, locale), toPlace(entry, origin, t, locale)].join('\n');
  return `${text === '' ? top : `${top}\n\n${text}`}\n`;
}

function toFacts(entry: ResultEntry, t: Translate, locale: string | undefined): string {
  const mark = toMark(entry);
  const facts = [
    `${toSign(mark)} ${toMarkWord(mark, t)}`,
    ...(entry.stopReason === undefined ? [] : [toLabel(entry.stopReason, 60)]),
    ...(entry.errorType === undefined ? [] : [toLabel(entry.errorType, 60)]),
    ...(entry.state === 'succeeded'
      ? [t('{0} input and {1} output tokens', toNumber(entry.inputTokens, locale), toNumber(entry.outputTokens, locale))]
      : []),
  ];
  return facts.join(' · ');
}

function toPlace(entry: ResultEntry, origin: AnswerOrigin, t: Translate, locale: string | undefined): string {
  return t('Line {0} of {1}, batch {2}', toNumber(entry.row + 1, locale), toLabel(origin.joinedName), toLabel(origin.batchId));
}

function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_{}[\]()#+\-!|<>~&:.@/]/g, '\\$&');
}

/**
 * The words of one joined result: the text of its blocks, tools and unknown blocks as JSON, or what the error says. `line` is
 * one line of the joined results file.
 */
export function toAnswerText(line: string): string {
  const result = toRecord(toRecord(JSON.parse(line)).result);
  if (result.type === 'succeeded') {
    const { content } = toRecord(result.message);
    return (Array.isArray(content) ? content : []).map(block => toBlockText(toRecord(block))).join('\n\n');
  }
  const outer = toRecord(result.error);
  const inner = toRecord(outer.error);
  const message = inner.message ?? outer.message;
  if (typeof message === 'string') {
    return message;
  }
  return result.error === undefined ? '' : JSON.stringify(result.error, undefined, 2);
}

function toBlockText(block: Readonly<Record<string, unknown>>): string {
  if (block.type === 'text' && typeof block.text === 'string') {
    return block.text;
  }
  return block.type === 'thinking' && typeof block.thinking === 'string' ? block.thinking : JSON.stringify(block, undefined, 2);
}

function toRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
