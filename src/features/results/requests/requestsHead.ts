import type { Translate } from '../../../common/text/translate';
import type { RequestIndexReport } from '../../../jsonl/tabling/tablingJobs';
import { numberFormat } from '../../../shared/formats';
import type { ResultsHead } from '../../../shared/results/resultsProtocol';
import { toLabel } from '../../../shared/text';

/** What is known of the requests that a panel shows. */
export interface RequestsFacts {
  /** Name of the file, and where it is. */
  readonly name: string;
  readonly path: string;
  readonly report: RequestIndexReport | undefined;
  /** Why there is nothing to show. */
  readonly problem: 'gone' | 'unread' | undefined;
  /** An editor has changes that the file does not have. */
  readonly isDirty: boolean;
}

/** What stands above a table of requests: which file, what is wrong with it, and what is done with it next. */
export function toRequestsHead(
  { name, path, report, problem, isDirty }: RequestsFacts,
  { translate: t, locale }: { readonly translate: Translate; readonly locale: string },
): ResultsHead {
  const number = numberFormat(locale);
  const isReady = problem === undefined && report !== undefined;
  const { withErrors = 0, withWarnings = 0 } = report ?? {};
  const isForeign = isReady && hasNoRequests(report);
  const errors = withErrors === 1 ? t('1 request has an error') : t('{0} requests have an error', number.format(withErrors));
  const warnings = withWarnings === 1 ? t('1 request has a warning') : t('{0} requests have a warning', number.format(withWarnings));
  return {
    subject: 'requests',
    title: toLabel(name, 120),
    facts: [
      ...(path === name ? [] : [toLabel(path, 120)]),
      ...(isForeign ? [t('No line of this file is a request')] : isReady && withErrors > 0 ? [errors] : []),
      ...(isReady && withWarnings > 0 ? [warnings] : []),
      ...(isReady && withErrors + withWarnings === 0 ? [t('No problems')] : []),
    ],
    notices: [
      ...(isDirty && isReady
        ? [
            {
              tone: 'plain' as const,
              text: t('This file has changes that are not saved. The table shows the file as it was saved.'),
              act: { label: t('Save'), act: 'save' as const },
            },
          ]
        : []),
      ...(problem === 'gone' ? [{ tone: 'error' as const, text: t('The file is not there any more.') }] : []),
      ...(problem === 'unread' ? [{ tone: 'error' as const, text: t('The file could not be read. The log says why.') }] : []),
    ],
    isReady,
    acts: isForeign
      ? ['openRequests']
      : isReady
        ? ['createBatch', ...(withErrors + withWarnings > 0 ? (['fix'] as const) : []), 'openRequests']
        : [],
  };
}

/** Whether there are lines, and none of them is a request. */
function hasNoRequests({ rows, withErrors, columns }: RequestIndexReport): boolean {
  const found = columns.find(({ name }) => name === 'problem')?.values.slice(1) ?? [];
  return rows > 0 && withErrors === rows && found.length > 0 && found.every(rules => rules === 'not-a-request' || rules === 'json-syntax');
}
