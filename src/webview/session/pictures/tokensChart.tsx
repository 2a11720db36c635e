import type { VNode } from 'preact';
import { useContext, useMemo } from 'preact/hooks';
import type { TokenPoint, TokensOverTime } from '../../../shared/session/facts/tokensOverTime';
import { toCount, toMoment, toMoney } from '../controls/numbers';
import { Panel, type PanelContext } from '../panelContext';

/** More points than a small chart has pixels are thinned out. */
const mostPoints = 300;
const width = 300;
const height = 100;

const buckets = ['input', 'output', 'cacheRead', 'cacheWrite'] as const;

/** Tokens as they grew, one line for each bucket, and costs against the budget where both are told. */
export function TokensChart({ tokens, isTable }: { tokens: TokensOverTime; isTable: boolean }): VNode {
  const panel = useContext(Panel);
  const { t } = panel;
  const points = useMemo(() => thinOut(tokens.points), [tokens]);
  const last = points.at(-1);
  if (last === undefined) {
    return <p class="pictures-empty">{t('No tokens were told yet.')}</p>;
  }
  if (isTable) {
    return <TokensTable points={points} />;
  }
  const x = toPlaces(points);
  const lines = buckets.map(bucket => points.map(point => point.tokens[bucket]));
  return (
    <div class="tokens">
      <figure class="tokens-figure">
        <figcaption>
          <ul class="lanes-legend">
            {buckets.map(bucket => (
              <li key={bucket}>
                <svg class="tokens-swatch" viewBox="0 0 20 4" aria-hidden="true">
                  <line class={`tokens-line tokens-line-${bucket}`} x1="0" y1="2" x2="20" y2="2" />
                </svg>
                {toBucketWords(bucket, last.tokens[bucket], panel)}
              </li>
            ))}
          </ul>
        </figcaption>
        <Chart x={x} lines={lines} classes={buckets.map(bucket => `tokens-line tokens-line-${bucket}`)} label={toSummary(last, panel)} />
      </figure>
      <CostFigure points={points} x={x} budget={tokens.budget} />
    </div>
  );
}

function CostFigure({
  points,
  x,
  budget,
}: {
  points: readonly TokenPoint[];
  x: readonly number[];
  budget: TokensOverTime['budget'];
}): VNode | null {
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
    <figure class="tokens-figure">
      <figcaption>
        {isComparable ? (
          <svg class="tokens-swatch" viewBox="0 0 20 4" aria-hidden="true">
            <line class="tokens-budget" x1="0" y1="2" x2="20" y2="2" />
          </svg>
        ) : null}
        {words}
      </figcaption>
      <Chart
        x={x}
        lines={[points.map(({ cost }) => cost?.cents)]}
        classes={['tokens-line tokens-line-cost']}
        label={words}
        limit={isComparable ? budget.cents : undefined}
      />
    </figure>
  );
}

interface ChartProps {
  /** Places from left (0) to right (1). */
  readonly x: readonly number[];
  readonly lines: readonly (readonly (number | undefined)[])[];
  readonly classes: readonly string[];
  readonly label: string;
  /** A line across, never to be crossed. */
  readonly limit?: number | undefined;
}

function Chart({ x, lines, classes, label, limit }: ChartProps): VNode {
  const most = Math.max(1, limit ?? 0, ...lines.flatMap(line => line.filter(value => value !== undefined)));
  const toY = (value: number): number => height - (value / (most * 1.05)) * height;
  return (
    <svg class="tokens-chart" viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" role="img" aria-label={label}>
      <line class="tokens-axis" x1="0" y1={height} x2={width} y2={height} />
      {lines.map((line, index) => (
        <path key={index} class={classes[index]} d={toPath(x, line, toY)} />
      ))}
      {limit === undefined ? null : <line class="tokens-budget" x1="0" y1={toY(limit)} x2={width} y2={toY(limit)} />}
    </svg>
  );
}

/** Steps up from nothing: what was told holds until more is told. */
function toPath(x: readonly number[], line: readonly (number | undefined)[], toY: (value: number) => number): string {
  let path = '';
  line.forEach((value, index) => {
    if (value !== undefined) {
      path += `H${((x[index] ?? 0) * width).toFixed(1)}V${toY(value).toFixed(1)}`;
    }
  });
  return path === '' ? '' : `M0 ${height}${path}H${width}`;
}

function TokensTable({ points }: { points: readonly TokenPoint[] }): VNode {
  const { t, locale } = useContext(Panel);
  const today = Date.now();
  const count = (value: number | undefined): string => (value === undefined ? t('not told') : toCount(value, locale));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section class="pictures-scroll" tabIndex={0} aria-label={t('Tokens')}>
      <table class="pictures-table">
        <caption class="only-read-aloud">{t('Tokens and cost up to each event')}</caption>
        <thead>
          <tr>
            {[t('Event'), t('Time'), t('Input'), t('Output'), t('Cache read'), t('Cache write'), t('Cost')].map(name => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {points.map(({ key, seq, at, tokens, cost }) => (
            <tr key={key}>
              <th scope="row">{toCount(seq + 1, locale)}</th>
              <td>{at === undefined ? t('not told') : toMoment(at, locale, today)}</td>
              {buckets.map(bucket => (
                <td key={bucket}>{count(tokens[bucket])}</td>
              ))}
              <td>{cost === undefined ? t('not told') : toMoney(cost, locale)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Places between 0 and 1 by time, or by the order of events where not all times are told. */
function toPlaces(points: readonly TokenPoint[]): readonly number[] {
  const isTimed = points.every(({ at }) => at !== undefined);
  const values = points.map(({ at, seq }) => (isTimed ? (at ?? 0) : seq));
  const from = Math.min(...values);
  const to = Math.max(...values);
  return values.map(value => (to === from ? 0 : (value - from) / (to - from)));
}

function thinOut(points: readonly TokenPoint[]): readonly TokenPoint[] {
  const step = Math.ceil(points.length / mostPoints);
  return step <= 1 ? points : points.filter((_, index) => index % step === 0 || index === points.length - 1);
}

function toBucketWords(bucket: (typeof buckets)[number], value: number | undefined, { t, locale }: PanelContext): string {
  const count = value === undefined ? t('not told') : toCount(value, locale);
  switch (bucket) {
    case 'input':
      return t('input {0}', count);
    case 'output':
      return t('output {0}', count);
    case 'cacheRead':
      return t('cache read {0}', count);
    case 'cacheWrite':
      return t('cache write {0}', count);
  }
}

function toSummary({ tokens }: TokenPoint, panel: PanelContext): string {
  return panel.t('Tokens over time, at the end: {0}', buckets.map(bucket => toBucketWords(bucket, tokens[bucket], panel)).join(', '));
}
