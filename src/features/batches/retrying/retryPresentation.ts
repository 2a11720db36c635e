import path from 'node:path';
import type { PresentationContext } from '../../../common/text/presentation';
import type { SubmittedFile } from '../../../jsonl/retrying/findSubmitted';
import type { RetryGroup, RetryPlanSource } from '../../../jsonl/retrying/planRetry';
import type { RequestChange } from '../../../jsonl/retrying/remedyOf';
import { dateTimeFormat, toNumber } from '../../../shared/formats';
import {
  finalResultsOf,
  generationsOf,
  mayHaveBatch,
  pathsOf,
  type Run,
  type Submission,
  type SubmissionRegistry,
  sourcePathOf,
  submissionFiles,
} from '../../ledger';

/** Submitted file with its URI. */
interface RetryFile extends SubmittedFile {
  /** URI string of the file. `undefined` for a copy of unsaved text. */
  readonly source: string | undefined;
}

export interface RetrySources {
  readonly root: Run;
  readonly files: readonly RetryFile[];
  readonly plan: Omit<RetryPlanSource, 'mostTokens' | 'now'>;
}

/** Returns the input of a plan: the final results of a run, the sent files, and pending batches. `undefined` without results. */
export function retrySourcesOf(runs: readonly Run[], run: Run, registry: Pick<SubmissionRegistry, 'folder'>): RetrySources | undefined {
  const results = finalResultsOf(runs, run);
  const family = generationsOf(runs, run);
  const [root] = family;
  if (results === undefined || root === undefined) {
    return undefined;
  }
  const inFolder = (id: string, name: string) => path.join(registry.folder(id), name);
  // Results that aren't merged cover this run only.
  const merged = root.lead.merged?.runIds;
  const members = merged === undefined ? [run] : family.filter(({ id }) => merged.includes(id));
  // Leaves out parts without a batch: resuming the group sends them.
  const files = members.flatMap(one => one.submissions.filter(mayHaveBatch).flatMap(submission => filesOf(submission, inFolder)));
  // Other parts of a group may have results already.
  const isPending = (one: Submission) => one.deleted !== true && one.results === undefined && mayHaveBatch(one);
  const underWay = family
    .flatMap(({ submissions }) => submissions.filter(isPending))
    .map(({ id, batchId }) => ({ linesPath: inFolder(id, submissionFiles.lines), isCreated: batchId !== undefined }));
  const ends = members.flatMap(({ submissions }) => submissions.map(({ batch }) => Date.parse(batch?.ended_at ?? '')));
  const endedAt = Math.max(...ends.filter(end => !Number.isNaN(end)));
  return {
    root,
    files,
    plan: {
      ...pathsOf(registry, results),
      files: files.map(({ source: _, ...file }) => file),
      underWay,
      endedAt: Number.isFinite(endedAt) ? endedAt : undefined,
    },
  };
}

/** Returns the sent files. The copy of unsaved text comes first, because its file may have been saved and fixed since. */
function filesOf(
  { id, source, sha256, fromEditor, batchId }: Submission,
  inFolder: (id: string, name: string) => string,
): readonly RetryFile[] {
  const facts = { linesPath: inFolder(id, submissionFiles.lines), isCreated: batchId !== undefined, sha256 };
  const file = sourcePathOf(source);
  const copy = fromEditor ? [{ ...facts, path: inFolder(id, submissionFiles.editorCopy), source: undefined }] : [];
  return [...copy, ...(file === undefined ? [] : [{ ...facts, path: file, source }])];
}

/** The change in the requests of a group before they are sent again. */
export interface PlannedAct {
  readonly change: RequestChange | undefined;
}

/** Returns the default change of a group. */
export function proposedAct({ action, remedy }: RetryGroup): PlannedAct {
  const isFix = action === 'raise_max_tokens' || action === 'edit';
  return { change: isFix && remedy !== undefined && remedy.kind !== 'choose_model' ? remedy : undefined };
}

/** Describes the cause of a group in a few words. */
export function describeCause({ kind, stopReason, errorType, message }: RetryGroup, { translate: t }: PresentationContext): string {
  const causes: Readonly<Record<RetryGroup['kind'], string>> = {
    expired: t('expired'),
    canceled: t('canceled'),
    missing: t('without an answer'),
    refused: t('refused'),
    cut_short: t('cut short ({0})', stopReason ?? ''),
    empty: t('empty'),
    failed: [errorType ?? t('failed'), message].filter(text => text !== '').join(': '),
    other: t('unknown result'),
  };
  return causes[kind];
}

/** Describes the change in the requests of a group. */
export function describeAct(
  { action, remedy, reason, models }: RetryGroup,
  { change }: PlannedAct,
  { translate: t, locale }: PresentationContext,
): string {
  switch (change?.kind) {
    case 'raise_max_tokens': {
      const now = sameMaxTokens(models);
      const to = toNumber(change.to, locale);
      return now === undefined ? t('Raise max_tokens to {0}', to) : t('Raise max_tokens, {0} to {1}', toNumber(now, locale), to);
    }
    case 'raise_each':
      return t('Raise max_tokens, {0} to {1}', toNumber(change.least, locale), toNumber(change.most, locale));
    case 'lower_max_tokens':
      return t('Lower max_tokens to {0}', toNumber(change.to, locale));
    case 'set_model':
      return t('Change the model to {0}', change.model);
    case 'remove':
      return t('Remove {0}', change.path.join('.'));
    default:
      break;
  }
  if (action !== 'edit') {
    return t('Send without changes');
  }
  return remedy?.kind === 'choose_model' || reason === 'refused' ? t('Change the model...') : t('Edit requests first');
}

function sameMaxTokens(models: RetryGroup['models']): number | undefined {
  const [now = 0] = models.map(({ maxOfOne }) => maxOfOne);
  return now > 0 && models.every(({ minOfOne, maxOfOne }) => minOfOne === now && maxOfOne === now) ? now : undefined;
}

/** Describes why a text isn't a valid `max_tokens` of at most `maxAllowed`, or returns `undefined` if the text is valid. */
export function describeMaxTokensProblem(
  text: string,
  maxAllowed: number | undefined,
  { translate: t, locale }: Pick<PresentationContext, 'translate' | 'locale'>,
): string | undefined {
  if (!/^\s*[1-9]\d{0,8}\s*$/.test(text)) {
    return t('Enter a whole number above 0.');
  }
  return maxAllowed !== undefined && Number(text) > maxAllowed ? t('Enter at most {0}.', toNumber(maxAllowed, locale)) : undefined;
}

/** Explains the advice for a group in a sentence. */
export function describeReason({ reason, action }: RetryGroup, { translate: t }: PresentationContext): string {
  const reasons: Readonly<Record<RetryGroup['reason'], string>> = {
    not_done: t('Send it again.'),
    passing: t('Send it again.'),
    unpaid: t('Check the credit of your account.'),
    key: t('Set the API key first.'),
    limit_reached:
      action === 'edit'
        ? t('max_tokens is already at the maximum. Ask for less, or split the work.')
        : t("Raise max_tokens. Otherwise the answers are cut short again, and you're charged again."),
    window_full: t('The context window is full: shorten the prompt.'),
    paused: t('Add the answer to the messages to continue it.'),
    refused: t('Will likely be refused again. Change the text or the model.'),
    empty: t('The answer is empty: send it again, or ask more clearly.'),
    rejected: t('Edit the request before you send it again.'),
    unknown: t('May fail again.'),
  };
  return reasons[reason];
}

/** Describes whether a fallback credit can still be used, or returns `undefined` without a credit. */
export function describeCredit({ credit }: Pick<RetryGroup, 'credit'>, { translate: t, locale }: PresentationContext): string | undefined {
  if (credit === undefined) {
    return undefined;
  }
  const models = credit.models.length === 0 ? '' : ` ${t('The service recommends {0}.', credit.models.join(', '))}`;
  if (credit.usableUntil === undefined) {
    return `${t('Fallback credits expired (5 minutes after the refusal): {0}.', toNumber(credit.count, locale))}${models}`;
  }
  const time = dateTimeFormat(locale, { timeStyle: 'short' }).format(credit.usableUntil);
  return `${t(
    'Fallback credits not used, because they may expire before a batch starts (by {1}): {0}.',
    toNumber(credit.count, locale),
    time,
  )}${models}`;
}
