import type { Translate } from '../../../common/text/translate';
import type { ErrorCluster } from '../../../jsonl/answers/errorClusters';
import type { Histogram, ResultsSurvey, SurveyedModel } from '../../../jsonl/querying/surveyResults';
import { numberFormat } from '../../../shared/formats';
import { hasAnswer, toStatusName, toStatusWord } from '../../../shared/results/resultStatus';
import type { SurveyBar, SurveyPicture, TableSubject } from '../../../shared/results/resultsProtocol';
import { toLabel } from '../../../shared/text';

interface SurveyContext {
  readonly translate: Translate;
  readonly locale?: string;
  /** Query of the rows. The query of each bar narrows this query. */
  readonly query: string;
  readonly subject?: TableSubject | undefined;
}

/** Context with a function that narrows the query of the rows by a condition. */
type NarrowContext = SurveyContext & { readonly within: (condition: string) => string };

const maxBars = 12;

/** Returns the charts of results, without empty charts. */
export function toPictures(survey: ResultsSurvey, context: SurveyContext): readonly SurveyPicture[] {
  const { translate: t } = context;
  const query = context.query.trim();
  const within = (condition: string): string =>
    query === '' || query === condition || (isPlain(query) && query.endsWith(` and ${condition}`))
      ? query || condition
      : `${isPlain(query) ? query : `(${query})`} and ${condition}`;
  const narrow = { ...context, within };
  if (context.subject === 'requests') {
    return toRequestPictures(survey, narrow);
  }
  const hasFailed = survey.statuses.some(([status]) => !hasAnswer(status));
  const statuses = survey.statuses.map(
    ([status, count]): SurveyBar => ({ label: toStatusName(status, t), count, mark: status, query: within(`status=${status}`) }),
  );
  const reasons = survey.stopReasons
    .slice(0, maxBars)
    .map(([reason, count]): SurveyBar => ({ label: toLabel(reason, 60), count, query: within(`stop=${quoted(reason)}`) }));
  const { length: all } = survey.clusters;
  const clusters = survey.clusters.slice(0, maxBars).map(cluster => toClusterBar(cluster, narrow));
  const pictures: readonly SurveyPicture[] = [
    { name: t('Status'), bars: statuses },
    { name: t('Stop reason'), bars: reasons },
    { name: t('Models'), bars: survey.models.slice(0, maxBars).map(model => toModelBar(model, narrow)) },
    {
      name: t('Causes'),
      bars: clusters,
      ...(all > maxBars && { summary: t('{0} of {1} causes', maxBars, numberFormat(context.locale).format(all)) }),
    },
    ...histogram(t('Output tokens'), 'out', survey.outputTokens, hasFailed, narrow),
    ...histogram(t('Input tokens'), 'in', survey.inputTokens, hasFailed, narrow),
  ];
  return pictures.filter(({ bars }) => bars.length > 0);
}

function toRequestPictures(survey: ResultsSurvey, context: NarrowContext): readonly SurveyPicture[] {
  const { translate: t, within } = context;
  const problems = survey.problems.slice(0, maxBars).map(([rule, count]): SurveyBar => {
    return { label: toLabel(rule, 60), count, query: within(`problem=${quoted(rule)}`) };
  });
  const models = survey.models.slice(0, maxBars).map(({ model, rows }): SurveyBar => {
    return { label: toLabel(model, 60), count: rows, query: within(`model=${quoted(model)}`) };
  });
  const pictures: readonly SurveyPicture[] = [
    { name: t('Models'), bars: models },
    { name: t('Problems'), bars: problems },
    ...histogram(t('Estimated input tokens'), 'in', survey.inputTokens, false, context),
    ...histogram('max_tokens', 'out', survey.outputTokens, false, context),
  ];
  return pictures.filter(({ bars }) => bars.length > 0);
}

function toModelBar(
  { model, rows, succeeded, outputTokens, passed }: SurveyedModel,
  { translate: t, locale, within }: NarrowContext,
): SurveyBar {
  const number = numberFormat(locale);
  const facts = [
    ...(passed === undefined ? [] : [t('{0} as expected', number.format(passed))]),
    t('{0} succeeded', number.format(succeeded)),
    outputTokens === 1 ? t('1 output token') : t('{0} output tokens', number.format(outputTokens)),
  ];
  return { label: toLabel(model, 60), count: rows, query: within(`model=${quoted(model)}`), detail: facts.join(', ') };
}

function toClusterBar({ key, kind, errorType, message, count }: ErrorCluster, { translate: t, within }: NarrowContext): SurveyBar {
  const what = errorType ?? toStatusWord(kind, t);
  return {
    label: toLabel(message === '' ? what : `${what}: ${message}`, 160),
    count,
    mark: kind,
    query: within(`cluster=${quoted(key)}`),
    ...(message !== '' && { detail: t('Cause: {0}', toLabel(message, 300)) }),
  };
}

/**
 * Returns a histogram of tokens. Failed requests have 0 tokens. With `hasFailed`, the query of the bar that starts at 0 excludes failed
 * requests.
 */
function histogram(
  name: string,
  field: string,
  values: Histogram | undefined,
  hasFailed: boolean,
  { translate: t, locale, within }: NarrowContext,
): readonly SurveyPicture[] {
  if (values === undefined) {
    return [];
  }
  const number = numberFormat(locale);
  const bars = values.counts.map((count, at): SurveyBar => {
    const from = values.from[at] ?? 0;
    const next = values.from[at + 1];
    const to = next === undefined ? values.max : Math.max(from, next - 1);
    return {
      label: from === to ? number.format(from) : t('{0} to {1}', number.format(from), number.format(to)),
      count,
      query: within(`${from === 0 && hasFailed ? 'status=succeeded,cut_short,refused,empty and ' : ''}${field}=${from}..${to}`),
    };
  });
  const { min, median, max } = values;
  const summary = t('Min {0} · Median {1} · Max {2}', number.format(min), number.format(median), number.format(max));
  return [{ name, bars, summary }];
}

/** Returns whether conditions can be appended to a query without changing its meaning. */
function isPlain(query: string): boolean {
  return !/\bor\b/i.test(query);
}

function quoted(value: string): string {
  return /^[\w.-]+$/.test(value) ? value : JSON.stringify(value);
}
