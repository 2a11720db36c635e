import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { tokenBuckets } from '../../../../shared/session/facts/tokens';
import type { TokenPoint } from '../../../../shared/session/facts/tokensOverTime';
import { toCount, toMoment } from '../../../controls/numbers';
import { Panel } from '../../../controls/panelContext';
import { NumbersTable } from './numbersTable';

/** Cumulative tokens at each event that reports usage. */
export function TokensTable({ points }: { points: readonly TokenPoint[] }): VNode {
  const { t, locale } = useContext(Panel);
  const today = Date.now();
  const count = (value: number | undefined): string => (value === undefined ? '–' : toCount(value, locale));
  return (
    <NumbersTable
      label={t('Tokens')}
      caption={t('Tokens by event')}
      columns={[t('Event'), t('Time'), t('Input'), t('Output'), t('Cache read'), t('Cache write')]}
    >
      {points.map(({ key, seq, at, tokens }) => (
        <tr key={key}>
          <th scope="row">{toCount(seq + 1, locale)}</th>
          <td>{at === undefined ? '–' : toMoment(at, locale, today)}</td>
          {tokenBuckets.map(bucket => (
            <td key={bucket}>{count(tokens[bucket])}</td>
          ))}
        </tr>
      ))}
    </NumbersTable>
  );
}
