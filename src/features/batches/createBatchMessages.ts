import { ServiceError } from '../../client/errors';
import { toByteSize, toLabel } from '../../common/text';
import type { Translate } from '../../common/translate';
import type { BatchFileReport } from '../../jsonl/batchFileReport';
import type { ProblemText } from '../../jsonl/problem';
import type { Submission } from './submission';
import type { FailureReason } from './submit';

/** What messages need of their surroundings. */
export interface MessageContext {
  readonly translate: Translate;
  readonly locale: string;
}

/** What is about to be sent, for the one question before it is. */
export interface CreateQuestion {
  readonly connection: string;
  /** Host and port. */
  readonly host: string;
  readonly fileName: string;
  readonly fromEditor: boolean;
  readonly report: BatchFileReport;
  /** Earlier submissions of the same content to the same connection, newest first. */
  readonly repeats: readonly Submission[];
}

const modelsShown = 5;

/** The question and its details: what is sent where, what is unusual about it, and what was sent before. */
export function askToCreate(question: CreateQuestion, context: MessageContext): { readonly message: string; readonly detail: string } {
  const { translate: t, locale } = context;
  const { report, repeats } = question;
  const file = toLabel(question.fileName, 80);
  const lines = [
    t('Connection: {0} ({1})', toLabel(question.connection, 80), question.host),
    question.fromEditor ? t('File: {0}, as it stands in the editor, unsaved changes included', file) : t('File: {0}', file),
    t('Requests: {0} ({1})', count(report.requestCount, locale), toByteSize(report.bodyBytes, locale)),
    describeModels(report, context),
  ];
  const notes: string[] = [];
  if (report.bareCount > 0) {
    notes.push(
      report.bareCount === 1
        ? t('1 line has no custom_id; one is made from its line number.')
        : t('{0} lines have no custom_id; ids are made from their line numbers (line-1, line-2, ...).', count(report.bareCount, locale)),
    );
  }
  const { error, warning } = report.problemCounts;
  if (error > 0) {
    notes.push(
      error === 1
        ? t('1 error was found. The service may refuse the batch, or let that request fail.')
        : t('{0} errors were found. The service may refuse the batch, or let those requests fail.', count(error, locale)),
    );
  }
  if (warning > 0) {
    notes.push(
      warning === 1 ? t('1 warning, shown in the Problems view.') : t('{0} warnings, shown in the Problems view.', count(warning, locale)),
    );
  }
  const repeat = repeats[0];
  if (repeat !== undefined) {
    notes.push(describeRepeat(repeat, context));
  }
  const message =
    repeat !== undefined
      ? t('Create another batch from {0}?', file)
      : report.requestCount === 1
        ? t('Create a batch of 1 request?')
        : t('Create a batch of {0} requests?', count(report.requestCount, locale));
  return { message, detail: [lines.join('\n'), ...notes].join('\n\n') };
}

function describeModels({ models }: BatchFileReport, { translate: t, locale }: MessageContext): string {
  const shown = models.slice(0, modelsShown).map(([model, requests]) => `${toLabel(model, 60)} (${count(requests, locale)})`);
  const rest = models.length - shown.length;
  if (rest > 0) {
    shown.push(t('{0} more', count(rest, locale)));
  }
  return models.length === 1 ? t('Model: {0}', shown.join(', ')) : t('Models: {0}', shown.join(', '));
}

/** When and as what the same content was sent before. */
export function describeRepeat(submission: Submission, context: MessageContext): string {
  const { translate: t } = context;
  const when = describeTime(submission.startedAt, context);
  switch (submission.state) {
    case 'created':
      return t(
        'This file was already sent as {0}, {1}. Another batch would run, and cost, again.',
        toLabel(submission.batchId ?? '', 80),
        when,
      );
    case 'sending':
      return t('Another window is sending this file, since {0}.', when);
    default:
      return t('This file was already sent, {0}, and it is not known whether a batch was created.', when);
  }
}

/** A date and time in the user's language. */
export function describeTime(time: string, { locale }: Pick<MessageContext, 'locale'>): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? toLabel(time, 40) : date.toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'short' });
}

/** Why a file cannot be sent as it stands: how many errors it has, and what the first one is. */
export function describeErrors(fileName: string, report: BatchFileReport, context: MessageContext): string {
  const { translate: t, locale } = context;
  const file = toLabel(fileName, 80);
  const { error } = report.problemCounts;
  const counted =
    error === 1 ? t('{0} has 1 error. Nothing was sent.', file) : t('{0} has {1} errors. Nothing was sent.', file, count(error, locale));
  const first = report.problems.find(({ severity }) => severity === 'error');
  return first === undefined
    ? counted
    : t('{0} Line {1}: {2}', counted, count(first.line + 1, locale), toSentence(translateText(first.text, context)));
}

/** A sentence with its places filled, in the user's language. */
export function translateText({ template, args }: ProblemText, { translate, locale }: MessageContext): string {
  return translate(template, ...args.map(arg => (typeof arg === 'number' ? count(arg, locale) : arg)));
}

/** What to tell when no batch was created: why, in the service's own words where it spoke. */
export function describeFailure(
  failure: { readonly reason: FailureReason; readonly error: unknown; readonly fileName: string; readonly bodyBytes: number },
  context: MessageContext,
): string {
  const { translate: t, locale } = context;
  const { error } = failure;
  const file = toLabel(failure.fileName, 80);
  switch (failure.reason) {
    case 'source_changed':
      return t('{0} changed while it was being sent, so sending was stopped before its end. No batch was created.', file);
    case 'canceled':
      return t('Sending {0} was canceled before its end. No batch was created.', file);
    case 'incomplete':
      return t('Sending {0} broke off before its end, so no batch was created. {1}', file, describeError(error));
    default:
      break;
  }
  if (error instanceof ServiceError && error.kind === 'request_too_large') {
    return t(
      'No batch was created from {0}: the service takes no body of {1}. Split the file, and set what the service takes as maxBytes of the connection, so that it is checked before sending. {2}',
      file,
      toByteSize(failure.bodyBytes, locale),
      describeError(error),
    );
  }
  return t('No batch was created from {0}. {1}', file, describeError(error));
}

/** An error's sentence, with the request id when the service gave one. */
export function describeError(error: unknown): string {
  const message = toLabel(error instanceof Error ? error.message : String(error), 600);
  const requestId = error instanceof ServiceError ? error.requestId : undefined;
  return toSentence(requestId === undefined || message.includes(requestId) ? message : `${message} (${toLabel(requestId, 80)})`);
}

/** A text in one line with a full stop at its end. */
export function toSentence(text: string): string {
  const line = toLabel(text, 800);
  return /[.!?]$/.test(line) ? line : `${line}.`;
}

function count(value: number, locale: string): string {
  return new Intl.NumberFormat(locale).format(value);
}
