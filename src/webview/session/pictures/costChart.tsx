import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import type { CostOverTime, CostPoint } from '../../../shared/session/facts/requestCosts';
import type { Money } from '../../../shared/session/facts/tokens';
import { toLabel } from '../../../shared/text';
import { toCount, toMoment, toMoney } from '../../controls/numbers';
import { Panel } from '../../controls/panelContext';
import { NumbersTable, Scroller } from './numbersTable';
import { AxisHint, type ChartDot, ChartFigure, type ChartGround, ChartKey, type ChartLanes, useChartPoints } from './chart';

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
  const { t } = useContext(Panel);
  const { points, ground } = useChartPoints(costs.points, given);
  if (points.length === 0) {
    return <p class="pictures-empty faint">{t('No data yet')}</p>;
  }
  return (
    <>
      {isTable ? (
        <CostTable points={points} currency={currency} />
      ) : (
        <div class="tokens flexWrap">
          <ToldFigure ground={ground} points={points} budget={budget} />
          <OwnFigure ground={ground} points={points} costs={costs} currency={currency} />
        </div>
      )}
      <OwnWords costs={costs} />
      {isTable ? null : <AxisHint ground={ground} />}
    </>
  );
}

interface FigureProps {
  readonly ground: ChartGround;
  readonly points: readonly CostPoint[];
}

function ToldFigure({ ground, points, budget }: FigureProps & { budget: Money | undefined }): VNode {
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
  const dots = toDots(points, values);
  return (
    <ChartFigure
      ground={ground}
      title={t('Reported by service')}
      unit={toLabel(last.currency)}
      wordsOf={cents => toMoney({ cents, currency: last.currency }, locale)}
      lines={[{ className: 'tokens-line tokens-line-cost', values }]}
      dots={dots}
      limit={limit?.cents}
      label={words}
    >
      <ChartKey className="tokens-line tokens-line-cost">{words}</ChartKey>
      <DotKeys dots={dots} />
      {limit === undefined ? null : <ChartKey className="tokens-budget">{t('budget')}</ChartKey>}
    </ChartFigure>
  );
}

function OwnFigure({ ground, points, costs, currency }: FigureProps & { costs: CostOverTime; currency: string }): VNode | null {
  const { t, locale } = useContext(Panel);
  const last = points.at(-1)?.ownSum;
  if (last === undefined) {
    return null;
  }
  const money = (amount: number): string => toMoney({ cents: amount * 100, currency }, locale, 4);
  const words = costs.unknown === 0 ? t('Cost: {0}', money(last)) : t('Cost: at least {0}', money(last));
  const sums = points.map(({ ownSum }) => ownSum);
  const dots = toDots(
    points,
    points.map(({ ownSum, request }) => (request?.cost === undefined ? undefined : ownSum)),
  );
  return (
    <ChartFigure
      ground={ground}
      title={t('At Your Batch Prices')}
      unit={toLabel(currency)}
      least={0.0001}
      wordsOf={money}
      lines={[{ className: 'tokens-line tokens-line-cost', values: sums }]}
      dots={dots}
      label={words}
    >
      <ChartKey className="tokens-line tokens-line-cost">{words}</ChartKey>
      <DotKeys dots={dots} />
    </ChartFigure>
  );
}

function DotKeys({ dots }: { dots: readonly ChartDot[] }): VNode {
  const { t } = useContext(Panel);
  return (
    <>
      {dots.some(({ value }) => value !== undefined) ? (
        <li>
          <svg class="tokens-dot" viewBox="0 0 8 8" aria-hidden="true">
            <circle class="chart-dot" cx="4" cy="4" r="2.5" />
          </svg>
          {t('model request')}
        </li>
      ) : null}
      {dots.some(({ value }) => value === undefined) ? (
        <li>
          <svg class="tokens-dot" viewBox="0 0 8 8" aria-hidden="true">
            <path class="chart-cross" d="M1 1l6 6m0 -6l-6 6" />
          </svg>
          {t('model request, cost unknown')}
        </li>
      ) : null}
    </>
  );
}

const setting = 'managedAgents.estimate.prices';
const maxNamed = 10;

function OwnWords({ costs: { unknown, unpriced } }: { costs: CostOverTime }): VNode | null {
  const { t } = useContext(Panel);
  const named = unpriced.slice(0, maxNamed).map(model => toLabel(model, 80));
  return unknown === 0 || named.length === 0 ? null : (
    <p class="lanes-hint faint">{t('Add a price for {0} to estimate cost ({1}).', named.join(', '), setting)}</p>
  );
}

function toDots(points: readonly CostPoint[], values: readonly (number | undefined)[]): readonly ChartDot[] {
  return points.flatMap(({ request }, index) => (request === undefined ? [] : [{ index, value: values[index] }]));
}

function CostTable({ points, currency }: { points: readonly CostPoint[]; currency: string }): VNode {
  const { t, locale } = useContext(Panel);
  const today = Date.now();
  const money = (amount: number | undefined): string =>
    amount === undefined ? t('unknown') : toMoney({ cents: amount * 100, currency }, locale, 6);
  return (
    <Scroller label={t('Cost')}>
      <NumbersTable
        caption={t('Cost by request')}
        columns={[t('Event'), t('Time'), t('Model'), t('Request, by your prices'), t('Session, by your prices'), t('Reported total')]}
        rows={points.map(({ key, seq, at, request, ownSum, reported }) => ({
          key,
          cells: [
            toCount(seq + 1, locale),
            at === undefined ? '–' : toMoment(at, locale, today),
            request === undefined ? '–' : request.models.map(model => toLabel(model, 80)).join(', ') || t('unknown'),
            request === undefined ? '–' : money(request.cost),
            money(ownSum),
            reported === undefined ? '–' : toMoney(reported, locale),
          ],
        }))}
      />
    </Scroller>
  );
}
