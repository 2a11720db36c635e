import type { PresentationContext } from '../../../common/text/presentation';
import type { Translate } from '../../../common/text/translate';
import type { RequestChange, RetryGroup } from '../../../jsonl/retrying/retryingJobs';
import { dateTimeFormat, toNumber } from '../../../shared/formats';

/** The change in the requests of a group before they are sent again. */
export interface PlannedAct {
  readonly change: RequestChange | undefined;
}

/** Returns the default change of a group. */
export function proposedAct({ action, remedy }: RetryGroup): PlannedAct {
  const mends = action === 'raise_max_tokens' || action === 'edit';
  return { change: mends && remedy !== undefined && remedy.kind !== 'choose_model' ? remedy : undefined };
}

/** Describes the cause of a group in a few words. */
export function describeCause({ kind, stopReason, errorType, message }: RetryGroup, { translate: t }: PresentationContext): string {
  const causes: Readonly<Record<RetryGroup['kind'], string>> = {
    expired: t('expired'),
    canceled: t('canceled'),
    missing: t('without an answer'),
    refused: t('refused by the model'),
    cut_short: describeStop(stopReason, t),
    empty: t('answered without a word'),
    failed: [errorType ?? t('failed'), message].filter(text => text !== '').join(': '),
    other: t('of a kind this version does not know'),
  };
  return causes[kind];
}

function describeStop(stopReason = '', t: Translate): string {
  const known: Readonly<Record<string, string>> = {
    max_tokens: t('cut short at max_tokens'),
    model_context_window_exceeded: t('cut short: the context window of the model was full'),
    pause_turn: t('paused in the middle of a turn'),
  };
  return Object.hasOwn(known, stopReason) ? (known[stopReason] ?? '') : t('cut short: {0}', stopReason);
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
      return now === undefined ? t('raise max_tokens to {0}', to) : t('raise max_tokens from {0} to {1}', toNumber(now, locale), to);
    }
    case 'raise_each':
      return t('raise each max_tokens, to {0} at least and {1} at most', toNumber(change.least, locale), toNumber(change.most, locale));
    case 'lower_max_tokens':
      return t('lower max_tokens to {0}', toNumber(change.to, locale));
    case 'set_model':
      return t('change the model to {0}', change.model);
    case 'remove':
      return t('remove {0}', change.path.join('.'));
    default:
      break;
  }
  if (action === 'raise_max_tokens') {
    return t('send as they are, and be cut again');
  }
  if (action !== 'edit') {
    return t('send again as they are');
  }
  return remedy?.kind === 'choose_model' || reason === 'refused' ? t('change the model first') : t('edit them first');
}

/** Returns the `max_tokens` of requests that all have the same. */
function sameMaxTokens(models: RetryGroup['models']): number | undefined {
  const [now = 0] = models.map(({ mostOfOne }) => mostOfOne);
  return now > 0 && models.every(({ leastOfOne, mostOfOne }) => leastOfOne === now && mostOfOne === now) ? now : undefined;
}

/** Describes why a text isn't a valid `max_tokens` of at most `mostAllowed`, or returns `undefined` if it is. */
export function describeMaxTokensProblem(
  text: string,
  mostAllowed: number | undefined,
  { translate: t, locale }: Pick<PresentationContext, 'translate' | 'locale'>,
): string | undefined {
  if (!/^\s*[1-9]\d{0,8}\s*$/.test(text)) {
    return t('Enter a whole number of at least 1.');
  }
  return mostAllowed !== undefined && Number(text) > mostAllowed
    ? t('Enter at most {0}. A model of these requests refuses more.', toNumber(mostAllowed, locale))
    : undefined;
}

/** Explains the advice for a group in a sentence. */
export function describeReason({ reason, kind, remedy, action, mostAllowed }: RetryGroup, { translate: t }: PresentationContext): string {
  switch (reason) {
    case 'not_done':
      return kind === 'missing'
        ? t('The results contain no answer to them.')
        : t('They were not processed and not charged. The same requests can be answered now.');
    case 'passing':
      return t('The service failed for a while. The same requests can be answered now.');
    case 'unpaid':
      return t('Worth sending again once the account is paid up; before that they fail the same way.');
    case 'key':
      return t('Worth sending again once the key is in order; before that they fail the same way.');
    case 'limit_reached':
      return action === 'edit'
        ? t('Their max_tokens is the most that the model allows already. Ask for less, or split the work.')
        : mostAllowed === undefined
          ? t(
              'Sent again unchanged, they are cut at the same place and charged again. How much their model allows is not known here; it refuses more.',
            )
          : t('Sent again unchanged, they are cut at the same place and charged again.');
    case 'window_full':
      return t("A higher max_tokens doesn't help: the prompt and the answer together filled the context window. Shorten the prompt.");
    case 'paused':
      return t('They continue when their answer is added to their messages. Sent as they are, they start over.');
    case 'refused':
      return t('The same request to the same model is likely to be refused again. Change the words or the model.');
    case 'empty':
      return t('The model returned nothing. The same request may get an answer; a clearer one is more likely to.');
    case 'rejected':
      return remedy === undefined
        ? t('Fails the same way again unless it is edited first.')
        : t('Fails the same way again without this change.');
    case 'unknown':
      return t("It isn't known whether the same requests would succeed now.");
  }
}

/** Describes whether a fallback credit can still be used, or returns `undefined` without one. */
export function describeCredit({ credit }: Pick<RetryGroup, 'credit'>, { translate: t, locale }: PresentationContext): string | undefined {
  if (credit === undefined) {
    return undefined;
  }
  const models = credit.models.length === 0 ? '' : ` ${t('The service recommends {0}.', credit.models.join(', '))}`;
  if (credit.usableUntil === undefined) {
    return `${t('The fallback credit of {0} of them is used up: it is good for 5 minutes after a refusal.', toNumber(credit.count, locale))}${models}`;
  }
  const time = dateTimeFormat(locale, { timeStyle: 'short' }).format(credit.usableUntil);
  return `${t(
    'The fallback credit of {0} of them is good until {1} at the latest. A batch may begin later than that, so it is not written to the file.',
    toNumber(credit.count, locale),
    time,
  )}${models}`;
}
