import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { toNumber } from '../../../shared/formats';
import { type Money, tokenBuckets } from '../../../shared/session/facts/tokens';
import { type TokenPoint, toTokensOverTime } from '../../../shared/session/facts/tokensOverTime';
import type { TokenBuckets } from '../../../shared/session/rows/rows';
import { toLabel } from '../../../shared/text';
import { toMoney, toShortCount } from '../../controls/numbers';
import { Panel, type PanelContext } from '../../controls/panelContext';
import { type CostOverTime, type CostPoint, toCostOverTime } from '../costOverTime';
import { useSampled } from '../sampled';
import { ChartFigure, type ChartGround, type ChartProps, OverTime, useChartPoints } from './chart';

/**
 * Cost of a session over time, as reported by the service and by the user's own prices. A cost that is neither reported nor covered by a
 * price is shown as unknown.
 */
export function CostChart(props: ChartProps): VNode {
  const { rows, view, prices, isTable } = props;
  const { t, locale } = useContext(Panel);
  const agentModel = view.agent?.model;
  const costs = useSampled(() => toCostOverTime(rows, { prices, agentModel }), [rows, prices, agentModel]);
  const budget = view.budget !== undefined && 'cents' in view.budget ? view.budget : undefined;
  const currency = prices?.currency ?? '';
  const { points, ground } = useChartPoints(costs.points, props);
  const last = points.at(-1);
  const money = (amount: number | undefined, decimals = 6): string =>
    amount === undefined ? t('unknown') : toMoney({ cents: amount * 100, currency }, locale, decimals);
  const ownWords = costs.unknown === 0 ? t('Cost: {0}', money(last?.ownSum, 4)) : t('Cost: at least {0}', money(last?.ownSum, 4));
  return (
    <OverTime
      {...{ points, ground, isTable }}
      label={t('Cost')}
      caption={t('Cost by request')}
      columns={[t('Model'), t('Request cost at your prices'), t('Session total at your prices'), t('Reported total')]}
      cellsOf={({ request, ownSum, reported }) => [
        request === undefined ? '–' : request.models.map(model => toLabel(model, 80)).join(', ') || t('unknown'),
        request === undefined ? '–' : money(request.cost),
        money(ownSum),
        reported === undefined ? '–' : toMoney(reported, locale),
      ]}
      note={<OwnWords costs={costs} />}
    >
      {last?.reported === undefined ? (
        <p class="pictures-empty faint">{t('No data yet')}</p>
      ) : (
        <ReportedFigure {...{ ground, points, budget, last: last.reported }} />
      )}
      {last?.ownSum === undefined ? null : (
        <ChartFigure
          ground={ground}
          title={t('Cost at Your Batch Prices')}
          unit={toLabel(currency)}
          minStep={0.0001}
          wordsOf={amount => money(amount, 4)}
          lines={[{ name: 'cost', words: ownWords, values: points.map(({ ownSum }) => ownSum) }]}
          label={ownWords}
        />
      )}
    </OverTime>
  );
}

interface ReportedFigureProps {
  readonly budget: Money | undefined;
  readonly ground: ChartGround;
  readonly points: readonly CostPoint[];
  readonly last: Money;
}

function ReportedFigure({ ground, points, budget, last }: ReportedFigureProps): VNode {
  const { t, locale } = useContext(Panel);
  const limit = budget?.currency === last.currency ? budget : undefined;
  const words =
    limit === undefined
      ? t('Cost: {0}', toMoney(last, locale))
      : t('Cost: {0} of a budget of {1}', toMoney(last, locale), toMoney(limit, locale));
  const values = points.map(({ reported }) => (reported?.currency === last.currency ? reported.cents : undefined));
  return (
    <ChartFigure
      ground={ground}
      title={t('Reported by service')}
      unit={toLabel(last.currency)}
      wordsOf={cents => toMoney({ cents, currency: last.currency }, locale)}
      lines={[{ name: 'cost', words, values }]}
      budget={limit?.cents}
      label={words}
    />
  );
}

const setting = 'managedAgents.estimate.prices';
const maxNamed = 10;

function OwnWords({ costs: { unknown, unpriced } }: { costs: CostOverTime }): VNode | null {
  const { t } = useContext(Panel);
  const named = unpriced.slice(0, maxNamed).map(model => toLabel(model, 80));
  return unknown === 0 || named.length === 0 ? null : (
    <p class="lanes-hint hint">{t('Add a price for {0} to estimate cost ({1}).', named.join(', '), setting)}</p>
  );
}

type Bucket = keyof TokenBuckets;

/** Cumulative tokens over time, one line per bucket, with cache reads and writes separate. */
export function TokensChart(props: ChartProps): VNode {
  const { rows, isTable } = props;
  const { t, locale } = useContext(Panel);
  const tokens = useSampled(() => toTokensOverTime(rows), [rows]);
  const { points, ground } = useChartPoints(tokens, props);
  const countOf = (value: number | undefined): string => (value === undefined ? '–' : toNumber(value, locale));
  return (
    <OverTime
      {...{ points, ground, isTable }}
      label={t('Tokens')}
      caption={t('Tokens by event')}
      columns={[t('Input'), t('Output'), t('Cache read'), t('Cache write')]}
      cellsOf={point => tokenBuckets.map(bucket => countOf(point.tokens[bucket]))}
    >
      <TokensFigure ground={ground} points={points} title={t('Input and Output')} shown={['input', 'output']} />
      <TokensFigure ground={ground} points={points} title={t('Cache Reads and Writes')} shown={['cacheRead', 'cacheWrite']} />
    </OverTime>
  );
}

interface TokensFigureProps {
  readonly ground: ChartGround;
  readonly points: readonly TokenPoint[];
  readonly title: string;
  readonly shown: readonly Bucket[];
}

function TokensFigure({ ground, points, title, shown }: TokensFigureProps): VNode {
  const panel = useContext(Panel);
  const { t, locale } = panel;
  const words = shown.map(bucket => toBucketWords(bucket, points.at(-1)?.tokens[bucket], panel));
  return (
    <ChartFigure
      ground={ground}
      title={title}
      unit={t('tokens')}
      wordsOf={value => toShortCount(value, locale)}
      lines={shown.map((name, index) => ({ name, words: words[index] ?? '', values: points.map(({ tokens }) => tokens[name]) }))}
      label={t('Tokens over time, at the end: {0}', words.join(', '))}
    />
  );
}

function toBucketWords(bucket: Bucket, value: number | undefined, { t, locale }: PanelContext): string {
  const count = value === undefined ? '–' : toNumber(value, locale);
  return {
    input: t('input {0}', count),
    output: t('output {0}', count),
    cacheRead: t('cache read {0}', count),
    cacheWrite: t('cache write {0}', count),
  }[bucket];
}
