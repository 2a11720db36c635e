import type { VNode } from 'preact';
import { useContext, useMemo, useState } from 'preact/hooks';
import { toLabel } from '../../../shared/text';
import { Icon } from '../controls/icon';
import { toCount, toDuration } from '../controls/numbers';
import { Panel } from '../panelContext';

/** How one tool was used. Times are in milliseconds; undefined where none were told. */
export interface ToolUse {
  readonly name: string;
  readonly server?: string | undefined;
  readonly calls: number;
  readonly failures: number;
  readonly denied: number;
  readonly medianMs: number | undefined;
  readonly longestMs: number | undefined;
}

type Column = 'name' | 'calls' | 'failures' | 'denied' | 'medianMs' | 'longestMs';

/** Tools with their calls, failures and times; a click on a column's head sorts by it, another turns the order around. */
export function ToolTable({ tools }: { tools: readonly ToolUse[] }): VNode {
  const panel = useContext(Panel);
  const { t, locale } = panel;
  const [sorting, sort] = useState<{ readonly by: Column; readonly isDescending: boolean }>({ by: 'calls', isDescending: true });
  const sorted = useMemo(() => toSorted(tools, sorting.by, sorting.isDescending, locale), [tools, sorting, locale]);
  const columns: readonly (readonly [Column, string])[] = [
    ['name', t('Tool')],
    ['calls', t('Calls')],
    ['failures', t('Failures')],
    ['denied', t('Denied')],
    ['medianMs', t('Median')],
    ['longestMs', t('Longest')],
  ];
  const time = (milliseconds: number | undefined): string => (milliseconds === undefined ? '–' : toDuration(milliseconds, panel));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section class="pictures-scroll" tabIndex={0} aria-label={t('Tools')}>
      <table class="pictures-table">
        <caption class="only-read-aloud">{t('How tools were used')}</caption>
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
            <tr key={JSON.stringify([tool.server, tool.name])}>
              <th scope="row">
                {toLabel(tool.name)}
                {tool.server === undefined ? null : <span class="pictures-quiet"> {toLabel(tool.server)}</span>}
              </th>
              <td>{toCount(tool.calls, locale)}</td>
              <td class={tool.failures > 0 ? 'pictures-failed' : undefined}>
                {tool.failures > 0 ? <Icon name="error" /> : null} {toCount(tool.failures, locale)}
              </td>
              <td>{toCount(tool.denied, locale)}</td>
              <td>{time(tool.medianMs)}</td>
              <td>{time(tool.longestMs)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function toSorted(tools: readonly ToolUse[], by: Column, isDescending: boolean, locale: string): readonly ToolUse[] {
  const collator = new Intl.Collator(locale, { numeric: true });
  const compare = (a: ToolUse, b: ToolUse): number => {
    if (by === 'name') {
      return collator.compare(a.name, b.name);
    }
    return (a[by] ?? -1) - (b[by] ?? -1);
  };
  return tools.toSorted((a, b) => (isDescending ? compare(b, a) : compare(a, b)) || collator.compare(a.name, b.name));
}
