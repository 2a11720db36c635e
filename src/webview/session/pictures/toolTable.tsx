import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { collator } from '../../../shared/formats';
import type { ToolStatistic } from '../../../shared/session/facts/toolStatistics';
import { toLabel } from '../../../shared/text';
import { Button } from '../../controls/button';
import { Icon } from '../../controls/icon';
import { toCount, toDuration } from '../../controls/numbers';
import { Panel } from '../../controls/panelContext';
import { NumbersTable, Scroller } from './numbersTable';

/** Tools with their calls, failures and times, most used first. */
export function ToolTable({ tools, onSelect }: { tools: readonly ToolStatistic[]; onSelect: (key: string) => void }): VNode {
  const panel = useContext(Panel);
  const { t, locale } = panel;
  const names = collator(locale, { numeric: true });
  const sorted = tools.toSorted((a, b) => b.calls - a.calls || names.compare(a.name, b.name));
  if (tools.length === 0) {
    return <p class="pictures-empty faint">{t('No data yet')}</p>;
  }
  const time = (milliseconds: number | undefined): string => (milliseconds === undefined ? '–' : toDuration(milliseconds, panel));
  return (
    <Scroller label={t('Tools')}>
      <NumbersTable
        caption={t('Tool use')}
        columns={[t('Tool'), t('Calls'), t('Open'), t('Failures'), t('Denied'), t('Median'), t('Longest')]}
        rows={sorted.map(({ tool, server, name, calls, open, failed, denied, medianMs, longestMs, longestKey }) => ({
          key: JSON.stringify([tool, server, name]),
          cells: [
            <>
              {toLabel(name)}
              {server === undefined ? null : <span class="faint"> {toLabel(server)}</span>}
            </>,
            toCount(calls, locale),
            toCount(open, locale),
            failed === 0 ? (
              toCount(failed, locale)
            ) : (
              <span class="problem">
                <Icon name="error" />
                {toCount(failed, locale)}
              </span>
            ),
            toCount(denied, locale),
            time(medianMs),
            longestKey === undefined ? (
              '–'
            ) : (
              <Button kind="link" label={t('Show the longest call: {0}', time(longestMs))} onClick={() => onSelect(longestKey)}>
                {time(longestMs)}
              </Button>
            ),
          ],
        }))}
      />
    </Scroller>
  );
}
