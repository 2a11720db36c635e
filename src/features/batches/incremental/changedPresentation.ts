import type { Report, ReportLink } from '../../../common/documents/reportDocuments';
import { type ChangedRequests, type ChangeReason, changeReasons } from '../../../jsonl/merging/mergingJobs';
import { numberFormat } from '../../../shared/formats';
import { toLabel } from '../../../shared/text';
import type { MessageContext } from '../submitting/createBatchMessages';

/** Which requests are sent, behind their number: `those without an answer for what they say now: 12 new, 300 changed`. */
export function describeChanged({ counts }: Pick<ChangedRequests, 'counts'>, context: MessageContext): string {
  return context.translate('those without an answer for what they say now: {0}', reasonsOf(counts, context).join(', '));
}

/** Which requests are the rest behind a canary, behind their number. */
export function describeRest({ counts }: Pick<ChangedRequests, 'counts'>, context: MessageContext): string {
  return context.translate('those that are left: {0}', reasonsOf(counts, context).join(', '));
}

/** What the sheet tells beside that: how many are left out, and what that means. */
export function describeKept({ counts }: Pick<ChangedRequests, 'counts'>, context: MessageContext): string {
  const { translate: t } = context;
  const kept = describeAnswered(counts.kept, context);
  if (counts.unknown === 0) {
    return kept;
  }
  const again =
    counts.unknown === 1
      ? t(
          '1 request was sent before, and the file was changed before what it said was written down. Its answer may still hold; sent again it runs, and costs, again.',
        )
      : t(
          '{0} requests were sent before, and the file was changed before what they said was written down. Their answers may still hold; sent again they run, and cost, again.',
          number(counts.unknown, context),
        );
  return `${again} ${kept}`;
}

function describeAnswered(count: number, context: MessageContext): string {
  const { translate: t } = context;
  if (count === 0) {
    return t('No request of this file has a kept answer, so all of them would be sent.');
  }
  const kept =
    count === 1
      ? t('1 request keeps its answer and is not sent.')
      : t('{0} requests keep their answers and are not sent.', number(count, context));
  return t('{0} A model that is asked again may answer otherwise; only a whole new batch is answered all at one time.', kept);
}

/** Each request that is sent and why, with links to their lines; the first 5,000. */
export function toChangedReport(name: string, changed: ChangedRequests, context: MessageContext): Report {
  const { translate: t } = context;
  const { lines, why, firstIds } = changed;
  const rows = [
    t('What Changed in {0}', toLabel(name, 200)),
    '',
    t(
      '{0} requests have no answer for what they say now: {1}.',
      number(lines.length, context),
      reasonsOf(changed.counts, context).join(', '),
    ),
    describeKept(changed, context),
    '',
  ];
  const meaning: Readonly<Record<ChangeReason, string>> = {
    new: t('new: no request with this id was sent'),
    changed: t('changed: it said something else when it was sent'),
    failed: t('failed: it was sent as it stands and has no success'),
    unknown: t('unknown: it was sent, and what it said then is not known any more; it would be paid for again'),
  };
  rows.push(...changeReasons.filter(reason => changed.counts[reason] > 0).map(reason => meaning[reason]), '');
  const links: ReportLink[] = [];
  for (const [at, id] of firstIds.entries()) {
    const line = lines[at] as number;
    const place = t('line {0}', String(line + 1));
    links.push({ reportLine: rows.length, length: place.length, line, column: 0 });
    rows.push(`${place}  ${word(changeReasons[why[at] as number] ?? 'unknown', context)}  ${toLabel(id, 120)}`);
  }
  if (firstIds.length < lines.length) {
    rows.push(t('... and {0} more', number(lines.length - firstIds.length, context)));
  }
  return { text: `${rows.join('\n')}\n`, links };
}

function reasonsOf(counts: ChangedRequests['counts'], context: MessageContext): readonly string[] {
  const { translate: t } = context;
  const templates: Readonly<Record<ChangeReason, string>> = {
    new: '{0} new',
    changed: '{0} changed',
    failed: '{0} without success before',
    unknown: '{0} sent before, nobody knows with which words',
  };
  return changeReasons.filter(reason => counts[reason] > 0).map(reason => t(templates[reason], number(counts[reason], context)));
}

function word(reason: ChangeReason, { translate: t }: MessageContext): string {
  const words: Readonly<Record<ChangeReason, string>> = {
    new: t('new'),
    changed: t('changed'),
    failed: t('failed'),
    unknown: t('unknown'),
  };
  return words[reason];
}

function number(value: number, { locale }: MessageContext): string {
  return numberFormat(locale).format(value);
}
