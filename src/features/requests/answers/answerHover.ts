import { isLoopback } from '../../../client/transport/baseUrl';
import { escapeMarkdown } from '../../../common/text/escapeMarkdown';
import { describeAge, describeSince, describeTime, type PresentationContext } from '../../../common/text/presentation';
import type { ResultEntry } from '../../../jsonl/results/resultsReport';
import { toNumber } from '../../../shared/formats';
import { hasAnswer } from '../../../shared/results/resultStatus';
import { toFence, toQuotedMarkdown } from '../../../shared/session/rows/markdownText';
import { toLabel } from '../../../shared/text';
import { withoutEnd } from '../../../shared/trim';
import type { Submission } from '../../ledger';
import { type AnswerParts, toPlainAnswer } from './answerParts';
import { signs, toHistoryWords, toMark, toMarkWord } from './answerPresentation';
import type { LineAnswer, ReadAnswer } from './fileAnswers';

/**
 * Pattern of a URL without characters that have a meaning in Markdown. Excludes backticks too, because code takes precedence over links.
 * Allows one level of parentheses.
 */
const plainTarget = String.raw`(?:[^\s()<>\\"\x60]|\([^\s()<>\\"\x60]*\))*`;

const email = String.raw`(?<=[^\s\\])@(?=[\w-]+\.)`;

/** Pattern of the start of a link: an inline link, a definition, or a bare URL that viewers turn into a link. */
const linkStarts = new RegExp(String.raw`\]\((${plainTarget})\)|\]([(:])|(https?|ftp):(?=\/\/([^\s/?#]*[/?#]?))|www(?=\.)|${email}`, 'gi');

/** Punctuation that viewers don't include at the end of a link. */
const sentenceEnds = '.,:;!?)\'"';

/** Maximum number of characters of an answer in a hover. */
export const hoverLimit = 4000;
/** Maximum number of characters of a tool call or another block that is not text. */
const blockLimit = 600;

/**
 * Returns the hover of a line as untrusted Markdown without HTML. The model's text is rendered inside a quote that it can't close. The
 * hover loads no images, runs no commands, and links only to https, or to http on this machine.
 */
export function toAnswerHover(answer: LineAnswer, read: ReadAnswer | undefined, context: PresentationContext): string {
  const { translate: t } = context;
  const { before, after } = describeAnswer(answer, read, context);
  const unread = answer.entry === undefined ? [] : [escapeMarkdown(t('Use "Open Answer" to see all of it.'))];
  const sections = read === undefined ? unread : toAnswerSections(read.parts, t);
  return [...before.map(escapeMarkdown), ...sections, ...after.map(escapeMarkdown)].join('\n\n');
}

/** Returns a fetched answer as a document: request, batch, status and the whole text. */
export function toFetchedAnswerDocument(answer: LineAnswer, read: ReadAnswer, context: PresentationContext): string {
  const text = toPlainAnswer(read.parts);
  const head = context.translate('Answer to {0} of {1}', toLabel(answer.id), toLabel(read.origin.connection));
  const { before, after } = describeAnswer(answer, read, context);
  const top = [head, ...before, ...after].join('\n');
  return `${text === '' ? top : `${top}\n\n${text}`}\n`;
}

/** Returns the lines that describe an answer, to show before and after its text. */
function describeAnswer(answer: LineAnswer, read: ReadAnswer | undefined, context: PresentationContext) {
  const { translate: t } = context;
  const { entry, isMissing, isChanged, pending } = answer;
  const history = read?.origin.history ?? [];
  return {
    before: [
      ...(entry !== undefined || isMissing ? [toFacts(entry, read?.parts, context)] : []),
      ...(isChanged ? [t('≠ The request has changed since it was sent.')] : []),
    ],
    after: [
      ...(pending === undefined ? toNextStep(answer, t) : [toPendingWords(pending, context)]),
      ...(history.length < 2 ? [] : [history.map(one => toHistoryWords(one, t)).join(' · ')]),
      ...(entry === undefined || read === undefined ? [] : [describeOrigin(entry, read, context)]),
    ],
  };
}

function toFacts(entry: ResultEntry | undefined, parts: AnswerParts | undefined, { translate: t, locale }: PresentationContext): string {
  const mark = toMark(entry);
  const facts = [
    `${signs[mark]} ${toMarkWord(mark, t)}`,
    ...[entry?.stopReason, entry?.errorType].flatMap(word => (word === undefined ? [] : [toLabel(word, 60)])),
    ...(entry !== undefined && hasAnswer(entry.status)
      ? [t('{0} → {1} tokens', toNumber(entry.inputTokens, locale), toNumber(entry.outputTokens, locale))]
      : []),
    ...(parts?.model === undefined ? [] : [toLabel(parts.model, 80)]),
  ];
  return facts.join(' · ');
}

function toAnswerSections({ blocks, explanation }: AnswerParts, t: PresentationContext['translate']): readonly string[] {
  const hasText = blocks.some(({ kind }) => kind === 'text');
  const sections: string[] = [];
  let left = hoverLimit;
  let isCut = false;
  for (const { kind, text } of blocks.filter(block => block.kind !== 'thinking' || !hasText)) {
    const limit = Math.min(left, kind === 'json' ? blockLimit : hoverLimit);
    isCut ||= text.length > limit;
    const shown = text.length > limit ? `${text.slice(0, limit).replace(/[\ud800-\udbff]$/, '')}…` : text;
    left -= Math.min(text.length, limit);
    if (limit > 0 && shown.trim() !== '') {
      sections.push(kind === 'json' ? toFence(shown, 'json') : toQuotedMarkdown(shown, withoutUnsafeLinks).trimEnd());
    }
  }
  return [
    ...sections,
    ...(explanation === undefined ? [] : [toQuotedMarkdown(toLabel(explanation, 500), withoutUnsafeLinks).trimEnd()]),
    ...(isCut ? [escapeMarkdown(t('Use "Open Answer" to see all of it.'))] : []),
  ];
}

/** Describes how long a request has been waiting, and when it expires. Without a percentage: the counts of a batch are 0 until it ends. */
export function toPendingWords(submission: Submission, context: PresentationContext): string {
  const { translate: t } = context;
  const { state, batch, batchId, startedAt } = submission;
  const since = describeSince(batch?.created_at ?? startedAt, context);
  if (state === 'sending') {
    return t('… Sending since {0}.', since);
  }
  if (state === 'unknown') {
    return t('… Sent {0}, response lost. See the Batches view.', since);
  }
  const id = toLabel(batchId ?? '', 80);
  if (batch?.processing_status === 'ended') {
    return t('Batch {0} has ended. Fetch the results.', id);
  }
  const words = t('… Sent {0} in batch {1}.', since, id);
  if (batch?.processing_status === 'canceling') {
    return `${words} ${t('The batch is being canceled.')}`;
  }
  const expires = batch?.expires_at ?? undefined;
  return Number.isNaN(Date.parse(expires ?? ''))
    ? words
    : `${words} ${t('Requests without an answer expire {0} ({1}).', describeAge(expires, context), describeTime(expires, context))}`;
}

/** Returns the next step for an answer without a newer submission. Empty if there is none. */
function toNextStep({ entry, isMissing, isChanged }: LineAnswer, t: PresentationContext['translate']): readonly string[] {
  if (entry === undefined && !isMissing) {
    return [];
  }
  if (isChanged) {
    return [t('Create a batch of the changed requests.')];
  }
  switch (toMark(entry)) {
    case 'succeeded':
      return [];
    case 'cut_short':
      return [
        entry?.stopReason === 'max_tokens' ? t('Cut short: raise max_tokens.') : t('The context window is full: shorten the prompt.'),
      ];
    case 'refused':
      return [t('Will likely be refused again. Change the text or the model.')];
    case 'empty':
      return [t('The answer is empty: send it again, or ask more clearly.')];
    case 'failed':
      return [entry?.errorType === 'invalid_request_error' ? t('Edit the request before you send it again.') : t('Send it again.')];
    case 'canceled':
    case 'expired':
    case 'missing':
      return [t('Send it again.')];
    case 'other':
      return [t('Use "Open Answer" to see all of it.')];
  }
}

function describeOrigin(entry: ResultEntry, { parts, origin }: ReadAnswer, { translate: t, locale }: PresentationContext): string {
  const batches = origin.batchIds.map(id => toLabel(id, 80)).slice(0, 3);
  const rest = origin.batchIds.length > batches.length ? ', …' : '';
  const words = t('Line {0} of {1}, batch {2}', toNumber(entry.row + 1, locale), toLabel(origin.joinedName), batches.join(', ') + rest);
  return parts.requestId === undefined ? words : `${words} · ${t('request ID {0}', toLabel(parts.requestId, 80))}`;
}

/**
 * Returns a line of Markdown in which links lead only to https, or to http on this machine. Links with titles or user names are not
 * allowed, because these can hide the target. Replaces other links by text with their target.
 */
export function withoutUnsafeLinks(line: string): string {
  return line.replace(linkStarts, (found: string, target?: string, bracket?: string, scheme?: string, rest = '') => {
    if (target !== undefined) {
      // The target of a rejected link may contain other URLs.
      return isAllowed(target) ? found : `]\\(${withoutUnsafeLinks(target)})`;
    }
    if (bracket !== undefined) {
      return `]\\${bracket}`;
    }
    if (scheme !== undefined) {
      return isAllowed(withoutEnd(`${scheme}://${rest}`, sentenceEnds)) ? found : `${scheme}\\:`;
    }
    return found === '@' ? '\\@' : `${found}\\`;
  });
}

function isAllowed(target: string): boolean {
  const [, scheme = '', authority = ''] = /^(https?):\/\/([^/?#]*)/i.exec(target) ?? [];
  const name = /^([\w.-]+|\[[\da-f:.]+\])(?::\d+)?$/i.exec(authority)?.[1]?.toLowerCase();
  return name !== undefined && (scheme.toLowerCase() === 'https' || (scheme.toLowerCase() === 'http' && isLoopback(name)));
}
