import type { VNode } from 'preact';
import { useContext, useMemo } from 'preact/hooks';
import type { Lanes } from '../../../../shared/session/facts/lanes';
import type { QuietStretch } from '../../../../shared/session/facts/quietStretches';
import type { TokenPoint, TokensOverTime } from '../../../../shared/session/facts/tokensOverTime';
import { toMoney, toShortCount } from '../../controls/numbers';
import { Panel } from '../../panelContext';
import { useTimeFolds } from '../useTimeFolds';
import { ChartFigure, type ChartGround, ChartKey } from './chartFigure';
import { TokensTable } from './tokensTable';
import { type Bucket, toBucketWords } from './tokenWords';

/** More points than a chart has pixels are thinned out. */
const mostPoints = 300;

interface TokensChartProps {
  readonly tokens: TokensOverTime;
  /** Lays out the axis, as in the lanes. */
  readonly lanes: Lanes;
  readonly quiet: readonly QuietStretch[];
  readonly isTable: boolean;
}

/** Tokens as they grew, one line for each bucket, those of the cache apart; and costs against the budget where both are told. */
export function TokensChart({ tokens, lanes, quiet, isTable }: TokensChartProps): VNode {
  const { t } = useContext(Panel);
  const points = useMemo(() => thinOut(tokens.points), [tokens]);
  const { folds } = useTimeFolds(quiet, lanes);
  const ground = useMemo(() => ({ lanes, folds, moments: toMoments(points, lanes) }), [lanes, folds, points]);
  if (points.length === 0) {
    return <p class="pictures-empty">{t('No tokens were told yet.')}</p>;
  }
  if (isTable) {
    return <TokensTable points={points} />;
  }
  return (
    <>
      <div class="tokens">
        <TokensFigure ground={ground} points={points} name="work" title={t('Input and Output')} shown={['input', 'output']} />
        <TokensFigure
          ground={ground}
          points={points}
          name="cache"
          title={t('Cache Reads and Writes')}
          shown={['cacheRead', 'cacheWrite']}
        />
        <CostFigure ground={ground} points={points} budget={tokens.budget} />
      </div>
      <p class="lanes-hint">{toAxisWords(lanes.axis, folds.folds.length > 0, t)}</p>
    </>
  );
}

interface TokensFigureProps {
  readonly ground: ChartGround;
  readonly points: readonly TokenPoint[];
  readonly name: string;
  readonly title: string;
  readonly shown: readonly Bucket[];
}

function TokensFigure({ ground, points, name, title, shown }: TokensFigureProps): VNode {
  const panel = useContext(Panel);
  const { t, locale } = panel;
  const words = shown.map(bucket => toBucketWords(bucket, points.at(-1)?.tokens[bucket], panel));
  return (
    <ChartFigure
      ground={ground}
      name={name}
      title={title}
      unit={t('tokens')}
      wordsOf={value => toShortCount(value, locale)}
      lines={shown.map(bucket => ({ className: `tokens-line tokens-line-${bucket}`, values: points.map(({ tokens }) => tokens[bucket]) }))}
      label={t('Tokens over time, at the end: {0}', words.join(', '))}
    >
      {shown.map((bucket, index) => (
        <ChartKey key={bucket} className={`tokens-line tokens-line-${bucket}`}>
          {words[index]}
        </ChartKey>
      ))}
    </ChartFigure>
  );
}

interface CostFigureProps {
  readonly ground: ChartGround;
  readonly points: readonly TokenPoint[];
  readonly budget: TokensOverTime['budget'];
}

function CostFigure({ ground, points, budget }: CostFigureProps): VNode | null {
  const { t, locale } = useContext(Panel);
  const last = points.findLast(({ cost }) => cost !== undefined)?.cost;
  if (last === undefined) {
    return null;
  }
  const isComparable = budget !== undefined && budget.currency === last.currency;
  const words = isComparable
    ? t('Cost: {0} of a budget of {1}', toMoney(last, locale), toMoney(budget, locale))
    : t('Cost: {0}', toMoney(last, locale));
  return (
    <ChartFigure
      ground={ground}
      name="cost"
      title={t('Cost')}
      unit={last.currency}
      wordsOf={cents => toMoney({ cents, currency: last.currency }, locale)}
      lines={[{ className: 'tokens-line tokens-line-cost', values: points.map(({ cost }) => cost?.cents) }]}
      limit={isComparable ? budget.cents : undefined}
      label={words}
    >
      <ChartKey className="tokens-line tokens-line-cost">{words}</ChartKey>
      {isComparable ? <ChartKey className="tokens-budget">{t('budget')}</ChartKey> : null}
    </ChartFigure>
  );
}

/** Where points stand on the axis, never before one that was told earlier. */
function toMoments(points: readonly TokenPoint[], { axis, from }: Lanes): readonly number[] {
  let last = from;
  return points.map(({ at, seq }) => {
    last = Math.max(last, (axis === 'time' ? at : seq) ?? last);
    return last;
  });
}

function toAxisWords(axis: Lanes['axis'], isFolded: boolean, t: (text: string) => string): string {
  if (axis === 'order') {
    return t('Across: the events in their order.');
  }
  return isFolded ? t('Across: time since the first event, with long waits folded.') : t('Across: time since the first event.');
}

function thinOut(points: readonly TokenPoint[]): readonly TokenPoint[] {
  const step = Math.ceil(points.length / mostPoints);
  return step <= 1 ? points : points.filter((_, index) => index % step === 0 || index === points.length - 1);
}
