import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { tokenBuckets } from '../../../shared/session/facts/tokens';
import type { TokenPoint } from '../../../shared/session/facts/usageOverTime';
import type { TokenBuckets } from '../../../shared/session/rows/rows';
import { toCount, toShortCount } from '../../controls/numbers';
import { Panel, type PanelContext } from '../../controls/panelContext';
import { ChartFigure, type ChartGround, ChartKey, type ChartLanes, OverTime, useChartPoints } from './chart';

type Bucket = keyof TokenBuckets;

interface TokensChartProps extends ChartLanes {
  readonly tokens: readonly TokenPoint[];
  readonly isTable: boolean;
}

/** Cumulative tokens over time, one line per bucket, with cache reads and writes separate. */
export function TokensChart({ tokens, isTable, ...given }: TokensChartProps): VNode {
  const { t, locale } = useContext(Panel);
  const { points, ground } = useChartPoints(tokens, given);
  const countOf = (value: number | undefined): string => (value === undefined ? '–' : toCount(value, locale));
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
  return {
    input: t('input {0}', count),
    output: t('output {0}', count),
    cacheRead: t('cache read {0}', count),
    cacheWrite: t('cache write {0}', count),
  }[bucket];
}
