import type { VNode } from 'preact';
import { useContext, useMemo } from 'preact/hooks';
import type { Lanes } from '../../../../shared/session/facts/lanes';
import type { QuietStretch } from '../../../../shared/session/facts/quietStretches';
import type { TokenPoint, TokensOverTime } from '../../../../shared/session/facts/tokensOverTime';
import { toShortCount } from '../../../controls/numbers';
import { Panel } from '../../../controls/panelContext';
import { TimeFolds } from '../timeFolds';
import { ChartFigure, type ChartGround, ChartKey } from './chartFigure';
import { thinOut, toAxisWords, toMoments } from './chartPoints';
import { type Bucket, toBucketWords } from './toBucketWords';
import { TokensTable } from './tokensTable';

interface TokensChartProps {
  readonly tokens: TokensOverTime;
  /** Defines the axis, as in the lanes. */
  readonly lanes: Lanes;
  readonly quiet: readonly QuietStretch[];
  readonly isTable: boolean;
}

/** Cumulative tokens over time, one line per bucket, with cache reads and writes separate. */
export function TokensChart({ tokens, lanes, quiet, isTable }: TokensChartProps): VNode {
  const { t } = useContext(Panel);
  const points = useMemo(() => thinOut(tokens.points), [tokens]);
  const folds = useMemo(() => new TimeFolds(lanes, quiet), [lanes, quiet]);
  const ground = useMemo(() => ({ lanes, folds, moments: toMoments(points, lanes) }), [lanes, folds, points]);
  if (points.length === 0) {
    return <p class="pictures-empty">{t('No data yet')}</p>;
  }
  if (isTable) {
    return <TokensTable points={points} />;
  }
  return (
    <>
      <div class="tokens">
        <TokensFigure ground={ground} points={points} title={t('Input and Output')} shown={['input', 'output']} />
        <TokensFigure ground={ground} points={points} title={t('Cache Reads and Writes')} shown={['cacheRead', 'cacheWrite']} />
      </div>
      <p class="lanes-hint">{toAxisWords(lanes.axis, folds.folds.length > 0, t)}</p>
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
