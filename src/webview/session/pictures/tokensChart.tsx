import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { tokenBuckets } from '../../../shared/session/facts/tokens';
import type { TokenPoint, TokensOverTime } from '../../../shared/session/facts/tokensOverTime';
import type { TokenBuckets } from '../../../shared/session/rows/rows';
import { toCount, toMoment, toShortCount } from '../../controls/numbers';
import { Panel, type PanelContext } from '../../controls/panelContext';
import { NumbersTable, Scroller } from './numbersTable';
import { AxisHint, ChartFigure, type ChartGround, ChartKey, type ChartLanes, useChartPoints } from './chart';

type Bucket = keyof TokenBuckets;

interface TokensChartProps extends ChartLanes {
  readonly tokens: TokensOverTime;
  readonly isTable: boolean;
}

/** Cumulative tokens over time, one line per bucket, with cache reads and writes separate. */
export function TokensChart({ tokens, isTable, ...given }: TokensChartProps): VNode {
  const { t } = useContext(Panel);
  const { points, ground } = useChartPoints(tokens.points, given);
  if (points.length === 0) {
    return <p class="pictures-empty faint">{t('No data yet')}</p>;
  }
  if (isTable) {
    return <TokensTable points={points} />;
  }
  return (
    <>
      <div class="tokens flexWrap">
        <TokensFigure ground={ground} points={points} title={t('Input and Output')} shown={['input', 'output']} />
        <TokensFigure ground={ground} points={points} title={t('Cache Reads and Writes')} shown={['cacheRead', 'cacheWrite']} />
      </div>
      <AxisHint ground={ground} />
    </>
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

function toBucketWords(bucket: Bucket, value: number | undefined, { t, locale }: PanelContext): string {
  const count = value === undefined ? '–' : toCount(value, locale);
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

function TokensTable({ points }: { points: readonly TokenPoint[] }): VNode {
  const { t, locale } = useContext(Panel);
  const today = Date.now();
  const count = (value: number | undefined): string => (value === undefined ? '–' : toCount(value, locale));
  return (
    <Scroller label={t('Tokens')}>
      <NumbersTable
        caption={t('Tokens by event')}
        columns={[t('Event'), t('Time'), t('Input'), t('Output'), t('Cache read'), t('Cache write')]}
        rows={points.map(({ key, seq, at, tokens }) => ({
          key,
          cells: [
            toCount(seq + 1, locale),
            at === undefined ? '–' : toMoment(at, locale, today),
            ...tokenBuckets.map(bucket => count(tokens[bucket])),
          ],
        }))}
      />
    </Scroller>
  );
}
