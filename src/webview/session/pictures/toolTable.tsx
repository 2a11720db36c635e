import type { VNode } from 'preact';
import { useContext, useMemo, useState } from 'preact/hooks';
import { collator } from '../../../shared/formats';
import type { ToolStatistic } from '../../../shared/session/facts/toolStatistics';
import { toLabel } from '../../../shared/text';
import { Button } from '../../controls/button';
import { Icon } from '../../controls/icon';
import { toCount, toDuration } from '../../controls/numbers';
import { Panel } from '../../controls/panelContext';

type Column = 'name' | 'calls' | 'open' | 'failed' | 'denied' | 'medianMs' | 'longestMs';

/** Tools with their calls, failures and times. A click on a column header sorts by it, a second click reverses the order. */
export function ToolTable({ tools, onSelect }: { tools: readonly ToolStatistic[]; onSelect: (key: string) => void }): VNode {
  const panel = useContext(Panel);
  const { t, locale } = panel;
  const [sorting, sort] = useState<{ readonly by: Column; readonly isDescending: boolean }>({ by: 'calls', isDescending: true });
  const sorted = useMemo(() => toSorted(tools, sorting.by, sorting.isDescending, locale), [tools, sorting, locale]);
  const columns: readonly (readonly [Column, string])[] = [
    ['name', t('Tool')],
    ['calls', t('Calls')],
    ['open', t('Open')],
    ['failed', t('Failures')],
    ['denied', t('Denied')],
    ['medianMs', t('Median')],
    ['longestMs', t('Longest')],
  ];
  if (tools.length === 0) {
    return <p class="pictures-empty">{t('No data yet')}</p>;
  }
  const time = (milliseconds: number | undefined): string => (milliseconds === undefined ? '–' : toDuration(milliseconds, panel));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section class="pictures-scroll" tabIndex={0} aria-label={t('Tools')}>
      <table class="pictures-table">
        <caption class="only-read-aloud">{t('Tool use')}</caption>
        <thead>
          <tr>
            {columns.map(([column, name]) => {
              const isSorted = sorting.by === column;
              return (
                <th key={column} scope="col" aria-sort={isSorted ? (sorting.isDescending ? 'descending' : 'ascending') : 'none'}>
                  <button
                    type="button"
                    class="pictures-sort"
                    onClick={() => sort({ by: column, isDescending: isSorted ? !sorting.isDescending : column !== 'name' })}
                  >
                    {name}
                    {isSorted ? <span aria-hidden="true">{sorting.isDescending ? '▾' : '▴'}</span> : null}
                  </button>
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody>
          {sorted.map(tool => (
            <tr key={JSON.stringify([tool.tool, tool.server, tool.name])}>
              <th scope="row">
                {toLabel(tool.name)}
                {tool.server === undefined ? null : <span class="pictures-quiet"> {toLabel(tool.server)}</span>}
              </th>
              <td>{toCount(tool.calls, locale)}</td>
              <td>{toCount(tool.open, locale)}</td>
              <td class={tool.failed > 0 ? 'pictures-failed' : undefined}>
                {tool.failed > 0 ? <Icon name="error" /> : null}
                {toCount(tool.failed, locale)}
              </td>
              <td>{toCount(tool.denied, locale)}</td>
              <td>{time(tool.medianMs)}</td>
              <td>
                {tool.longestKey === undefined ? (
                  '–'
                ) : (
                  <Button
                    look="link"
                    label={t('Show the longest call: {0}', time(tool.longestMs))}
                    onClick={() => onSelect(tool.longestKey ?? '')}
                  >
                    {time(tool.longestMs)}
                  </Button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function toSorted(tools: readonly ToolStatistic[], by: Column, isDescending: boolean, locale: string): readonly ToolStatistic[] {
  const names = collator(locale, { numeric: true });
  const compare = (a: ToolStatistic, b: ToolStatistic): number => {
    if (by === 'name') {
      return names.compare(a.name, b.name);
    }
    return (a[by] ?? -1) - (b[by] ?? -1);
  };
  return tools.toSorted((a, b) => (isDescending ? compare(b, a) : compare(a, b)) || names.compare(a.name, b.name));
}
