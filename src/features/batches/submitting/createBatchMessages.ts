import { ServiceError } from '../../../client/transport/errors';
import { describeTime } from '../../../common/text/presentation';
import type { Translate } from '../../../common/text/translate';
import type { ProblemText } from '../../../contract/problem';
import { toNumber } from '../../../shared/formats';
import { toByteSize, toLabel } from '../../../shared/text';
import { isDamaged, type Submission } from '../../ledger';
import { toSourceNames } from '../sourceNames';
import type { FailureReason } from './submit';

export interface MessageContext {
  readonly translate: Translate;
  readonly locale: string;
}

/**
 * Describes when and how the same content or some of the same requests were sent before. `now` describes the new batch. Its number of
 * requests defaults to that of the earlier submission.
 */
export function describeRepeat(
  submission: Submission,
  context: MessageContext,
  now: { readonly source: string; readonly requestCount?: number | undefined },
): string {
  const { translate: t } = context;
  const when = describeTime(submission.startedAt, context);
  if (isDamaged(submission)) {
    const id = toLabel(submission.batchId ?? submission.id, 80);
    return t('The record of {0} is damaged. The batch may be running: {1}', when, id);
  }
  if (submission.source !== now.source) {
    return describeOtherFile(submission, toLabel(toSourceNames([submission.source, now.source])(submission.source), 120), context);
  }
  const { state, selection, requestCount, batchId = '' } = submission;
  const isSome = selection !== undefined || (now.requestCount ?? requestCount) !== requestCount;
  const id = toLabel(batchId, 80);
  if (state === 'created') {
    return isSome
      ? t("Requests already sent as {0}, {1}: {2}. You'll be charged again.", id, when, toNumber(requestCount, context.locale))
      : t("Already sent as {0}, {1}. You'll be charged again.", id, when);
  }
  return state === 'sending'
    ? t('Another window started sending this file: {0}.', when)
    : t('This file was sent {0} and may have created a batch.', when);
}

function describeOtherFile({ state, batchId = '', startedAt }: Submission, name: string, context: MessageContext): string {
  const { translate: t } = context;
  const when = describeTime(startedAt, context);
  if (state === 'created') {
    return t("The same requests were sent as {0}, {1} ({2}). You'll be charged again.", name, when, toLabel(batchId, 80));
  }
  return state === 'sending'
    ? t('Another window has been sending the same requests as {0} since {1}.', name, when)
    : t('The same requests were sent as {0}, {1}, and may have created a batch.', name, when);
}

/** Formats a sentence with its arguments in the user's language. */
export function translateText({ template, args }: ProblemText, { translate, locale }: MessageContext): string {
  return translate(template, ...args.map(arg => (typeof arg === 'number' ? toNumber(arg, locale) : arg)));
}

/** Describes why no batch was created, with the service's message if it responded. */
export function describeFailure(
  failure: { readonly reason: FailureReason; readonly error: unknown; readonly fileName: string; readonly bodyBytes: number },
  context: MessageContext,
): string {
  const { translate: t, locale } = context;
  const { reason, error } = failure;
  const file = toLabel(failure.fileName, 80);
  if (reason === 'source_changed') {
    return t('{0} changed while it was being sent. No batch was created.', file);
  }
  if (reason === 'canceled') {
    return t('Sending {0} was canceled. No batch was created.', file);
  }
  const why = describeError(error);
  return reason !== 'incomplete' && error instanceof ServiceError && error.kind === 'request_too_large'
    ? t(
        'The service rejected {0} as too large ({1}). Lower maxBytes of the connection to send several batches. {2}',
        file,
        toByteSize(failure.bodyBytes, locale),
        why,
      )
    : t('No batch was created from {0}. {1}', file, why);
}

/** Returns the message of an error, with the request id if the service sent a request id. */
export function describeError(error: unknown): string {
  const message = toLabel(error instanceof Error ? error.message : String(error), 600);
  const requestId = error instanceof ServiceError ? error.requestId : undefined;
  return toSentence(requestId === undefined || message.includes(requestId) ? message : `${message} (${toLabel(requestId, 80)})`);
}

/** Returns a text on one line, with a period at its end. */
export function toSentence(text: string): string {
  const line = toLabel(text, 800);
  return /[.!?]$/.test(line) ? line : `${line}.`;
}
