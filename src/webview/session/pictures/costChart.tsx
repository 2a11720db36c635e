import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import type { CostOverTime, CostPoint } from '../../../shared/session/facts/usageOverTime';
import type { Money } from '../../../shared/session/facts/tokens';
import { toLabel } from '../../../shared/text';
import { toMoney } from '../../controls/numbers';
import { Panel } from '../../controls/panelContext';
import {
  type ChartDot,
  ChartFigure,
  type ChartFigureProps,
  type ChartGround,
  ChartKey,
  type ChartLanes,
  OverTime,
  useChartPoints,
} from './chart';

interface CostChartProps extends ChartLanes {
  readonly costs: CostOverTime;
  readonly currency: string;
  readonly budget: Money | undefined;
  readonly isTable: boolean;
}

/**
 * Cost of a session over time, as reported by the service and by the user's own prices, with a dot for each model request. A cost that is
 * neither reported nor covered by a price is shown as unknown.
 */
export function CostChart({ costs, currency, budget, isTable, ...given }: CostChartProps): VNode {
  const { t, locale } = useContext(Panel);
  const { points, ground } = useChartPoints(costs.points, given);
  const money = (amount: number | undefined): string =>
    amount === undefined ? t('unknown') : toMoney({ cents: amount * 100, currency }, locale, 6);
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
      <ReportedFigure ground={ground} points={points} budget={budget} />
      <OwnFigure ground={ground} points={points} costs={costs} currency={currency} />
    </OverTime>
  );
}

interface FigureProps {
  readonly ground: ChartGround;
  readonly points: readonly CostPoint[];
}

function ReportedFigure({ ground, points, budget }: FigureProps & { budget: Money | undefined }): VNode {
  const { t, locale } = useContext(Panel);
  const last = points.at(-1)?.reported;
  if (last === undefined) {
    return <p class="pictures-empty faint">{t('No data yet')}</p>;
  }
  const limit = budget?.currency === last.currency ? budget : undefined;
  const words =
    limit === undefined
      ? t('Cost: {0}', toMoney(last, locale))
      : t('Cost: {0} of a budget of {1}', toMoney(last, locale), toMoney(limit, locale));
  const values = points.map(({ reported }) => (reported?.currency === last.currency ? reported.cents : undefined));
  const wordsOf = (cents: number): string => toMoney({ cents, currency: last.currency }, locale);
  const title = t('Reported by service');
  return (
    <MoneyFigure {...{ ground, title, unit: last.currency, wordsOf, words, values, dots: toDots(points, values), limit: limit?.cents }} />
  );
}

function OwnFigure({ ground, points, costs, currency }: FigureProps & { costs: CostOverTime; currency: string }): VNode | null {
  const { t, locale } = useContext(Panel);
  const last = points.at(-1)?.ownSum;
  if (last === undefined) {
    return null;
  }
  const wordsOf = (amount: number): string => toMoney({ cents: amount * 100, currency }, locale, 4);
  const words = costs.unknown === 0 ? t('Cost: {0}', wordsOf(last)) : t('Cost: at least {0}', wordsOf(last));
  const values = points.map(({ ownSum }) => ownSum);
  const known = points.map(({ ownSum, request }) => (request?.cost === undefined ? undefined : ownSum));
  const title = t('At Your Batch Prices');
  return <MoneyFigure {...{ ground, title, unit: currency, minStep: 0.0001, wordsOf, words, values, dots: toDots(points, known) }} />;
}

interface MoneyFigureProps extends Omit<ChartFigureProps, 'lines' | 'label' | 'children'> {
  readonly words: string;
  readonly values: readonly (number | undefined)[];
  readonly dots: readonly ChartDot[];
}

function MoneyFigure({ words, values, unit, ...figure }: MoneyFigureProps): VNode {
  const { t } = useContext(Panel);
  const className = 'tokens-line tokens-line-cost';
  return (
    <ChartFigure {...figure} unit={toLabel(unit)} lines={[{ className, values }]} label={words}>
      <ChartKey className={className}>{words}</ChartKey>
      <DotKeys dots={figure.dots} />
      {figure.limit === undefined ? null : <ChartKey className="tokens-budget">{t('budget')}</ChartKey>}
    </ChartFigure>
  );
}

function DotKeys({ dots }: { dots: readonly ChartDot[] }): VNode {
  const { t } = useContext(Panel);
  const key = (shape: VNode, words: string): VNode => (
    <li>
      <svg class="tokens-dot" viewBox="0 0 8 8" aria-hidden="true">
        {shape}
      </svg>
      {words}
    </li>
  );
  return (
    <>
      {dots.some(({ value }) => value !== undefined) && key(<circle class="chart-dot" cx="4" cy="4" r="2.5" />, t('model request'))}
      {dots.some(({ value }) => value === undefined) &&
        key(<path class="chart-cross" d="M1 1l6 6m0 -6l-6 6" />, t('model request, cost unknown'))}
    </>
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

function toDots(points: readonly CostPoint[], values: readonly (number | undefined)[]): readonly ChartDot[] {
  return points.flatMap(({ request }, index) => (request === undefined ? [] : [{ index, value: values[index] }]));
}
